"""A process that has imported the language server once, and forks one for each client that asks.

    python prepared_server.py SOCKET            # the process that forks, until its input ends
    python prepared_server.py SOCKET client     # stands in for `python -I -m graphwright_server server --stdio`

A server that starts as users start it takes a second of computing, nearly all of it imports; how it does that is
tested in `test_process.py`, not with this one.
"""

import contextlib
import gc
import os
import select
import socket
import sys


def main(path, *client):
    return stand_in(path) if client else serve(path)


def stand_in(path):
    """Hand over the own streams, folder and environment; leave with the server's exit code."""
    with socket.socket(socket.AF_UNIX) as to_server:
        to_server.connect(path)
        told = "\0".join([os.getcwd(), *(f"{name}={value}" for name, value in os.environ.items())])
        socket.send_fds(to_server, [len(told.encode()).to_bytes(4, "big")], [0, 1, 2])
        to_server.sendall(told.encode())
        for stream in (0, 1):
            os.close(stream)
        return int(to_server.recv(16) or b"70")


def serve(path):
    import importlib

    for name in ("graphwright_server.cli.main", "graphwright_server.cli.serve", "graphwright_server.lsp.server"):
        importlib.import_module(name)
    warm_up()
    with socket.socket(socket.AF_UNIX) as asked:
        asked.bind(path)
        asked.listen()
        print("ready", flush=True)
        while select.select([asked, 0], [], [])[0] == [asked]:
            client, _ = asked.accept()
            if os.fork() == 0:
                # Between the two there is nobody to wait for the server: its parent reports how it ended.
                asked.close()
                server = os.fork()
                if server == 0:
                    become_server(client)
                _, status = os.waitpid(server, 0)
                client.sendall(str(os.waitstatus_to_exitcode(status)).encode())
                os._exit(0)
            client.close()
            reap()
    return 0


def warm_up():
    """Load what the first check loads, and let no fork look through it for garbage."""
    import graphwright_analysis as analysis

    project = analysis.Project(None)
    project.set_text(
        "first.py", "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return x\n\n\nf(tf.ones([2]))\n"
    )
    project.check("first.py")
    analysis.code_lenses(project, "first.py")
    analysis.hover(project, "first.py", 0)
    gc.collect()
    gc.freeze()


def reap():
    """Forget those that have ended, so that what they took is counted."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def become_server(client):
    length, streams, _, _ = socket.recv_fds(client, 4, 3)
    told = b""
    while len(told) < int.from_bytes(length, "big"):
        told += client.recv(1 << 16)
    client.close()
    folder, *environment = told.decode().split("\0")
    os.environ.clear()
    os.environ.update(each.split("=", 1) for each in environment)
    os.chdir(folder)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (open(number, mode) for number, mode in enumerate("rww"))  # noqa: SIM115
    from graphwright_server.cli.main import main as graphwright

    sys.argv = ["graphwright", "server", "--stdio"]
    os._exit(graphwright(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
