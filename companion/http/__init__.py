"""HTTP toolkit that the table's server and the club share: requests, responses, access, pages, WSGI server."""
