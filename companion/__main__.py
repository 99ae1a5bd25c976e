"""`python -m companion` is the same program as `companion`."""

from companion.cli import main

main()
