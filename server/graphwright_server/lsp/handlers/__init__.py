"""The answers to the client, one file per family of requests; how messages come and go is in `server.py`."""
