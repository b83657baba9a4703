"""Accounts servers behind the nginx that operators are shown, with an emulated Apple."""

import os
import pathlib
import re
import shutil
import subprocess

from load import poll
from processes import REPOSITORY, STOP_SECONDS_MAX, free_port, is_open, own_certificate

CONFIGURATION = REPOSITORY / "deployment/nginx.conf"
START_SECONDS_MAX = 60

# What a packaged nginx.conf has around the files of conf.d, with nothing outside of one folder.
FRAME = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log info;
worker_processes 2;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/siwa.conf;
}}
"""


class Nginx:
    """nginx with the operators' configuration; its ports and its certificate are the test's."""

    def __init__(self, folder, servers):
        self.folder = folder
        self.servers = servers
        self.port = free_port()
        self.plain_port = free_port()
        self.certificate = str(own_certificate(folder))
        self.url = f"https://localhost:{self.port}"
        self.process = None

    def start(self):
        (self.folder / "siwa.conf").write_text(self._configuration())
        user = "user root;" if os.geteuid() == 0 else ""
        frame = self.folder / "nginx.conf"
        frame.write_text(FRAME.format(folder=self.folder, user=user))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-p", str(self.folder), "-c", str(frame)])
        poll(START_SECONDS_MAX, self._answers, "nginx listens")

    def close(self):
        if self.process:
            self.process.terminate()
            self.process.wait(STOP_SECONDS_MAX)

    @property
    def errors(self):
        return (self.folder / "error.log").read_text() + (self.folder / "siwa-error.log").read_text()

    @property
    def requests(self):
        return (self.folder / "siwa.log").read_text()

    def _configuration(self):
        text = CONFIGURATION.read_text()
        changes = [
            (r"\blisten 80;", f"listen 127.0.0.1:{self.plain_port};", 1),
            (r"\blisten 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;", 1),
            (r"accounts\.example\.com", "localhost", 2),
            (r"127\.0\.0\.1:8080", f"127.0.0.1:{self.servers[0].port}", 2),
            (r"127\.0\.0\.1:8081", f"127.0.0.1:{self.servers[1].port}", 2),
            (r"/etc/ssl/siwa/\w+\.pem", self.certificate, 2),
            (r"/var/log/nginx/", f"{self.folder}/", 2),
            (r"\bcrit;", "info;", 1),
        ]
        for pattern, replacement, count in changes:
            text, found = re.subn(pattern, replacement, text)
            assert found == count, f"{pattern} stands {found} times in {CONFIGURATION}"
        return text

    def _answers(self):
        assert self.process.poll() is None, "nginx has ended"
        return is_open(self.port)


def apple_settings(settings, database_url, world):
    """The environment of a server to which people of the emulator sign in."""
    pathlib.Path(settings["SIWA_KEY_FILE"]).write_text(world.private_key)
    return settings | {
        "SIWA_TEAM_ID": world.team_id,
        "SIWA_KEY_ID": world.key_id,
        "SIWA_CLIENT_IDS": world.app_id,
        "SIWA_DATABASE_URL": database_url,
        "SIWA_APPLE_URL": world.apple,
    }


def sign_ins(world, count):
    """What the devices of new people hand an app, as the bodies of their first sign-ins."""
    bodies = []
    for number in range(count):
        email = f"person{number}@example.com"
        world.add_person(email, given_name="Person", family_name=str(number))
        device = world.credentials(email)
        bodies.append(
            {
                "identityToken": device["identity_token"],
                "authorizationCode": device["authorization_code"],
                "fullName": {"givenName": "Person", "familyName": str(number)},
            }
        )
    return bodies
