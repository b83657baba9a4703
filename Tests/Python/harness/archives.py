"""An archive of siwa that is made at once, and a server that files are downloaded from."""

import contextlib
import functools
import hashlib
import http.server
import subprocess
import threading

from processes import BINARY


def small_archive(folder, name):
    """An archive with the folders of scripts/dist, which starts the built program; its file and its checksum."""
    program = folder / name / "bin/siwa"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{BINARY}" "$@"\n')
    program.chmod(0o755)
    file = folder / f"{name}.tar.gz"
    subprocess.run(["tar", "-czf", file, name], cwd=folder, check=True)
    return file, checksum(file)


def checksum(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving_files(folder):
    """The URL of a server for the files of a folder."""
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
