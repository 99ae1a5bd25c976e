"""`make pi`: the companion on a Debian of its own, with systemd, a network, and a disk that loses power."""
