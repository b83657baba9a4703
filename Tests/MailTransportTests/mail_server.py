"""A mail server that tells what it took: aiosmtpd, as it is.

usage: python mail_server.py OPTIONS (JSON)

It prints one line with its port, then one JSON object for each message, and ends with its standard input.
"""

import asyncio
import datetime
import email
import email.policy
import itertools
import json
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def certificate(name, folder):
    """A context with a certificate of its own, which is also what clients have to trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain = folder / "certificate.pem"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret = folder / "key.pem"
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, secret)
    return context


def part(message, kind):
    body = message.get_body((kind,))
    return body.get_content().replace("\r\n", "\n") if body else None


class Handler:
    def __init__(self, connection, options):
        self.connection = connection
        self.replies = options.get("replies", {})
        self.rest = options.get("messageLimit", sys.maxsize)

    async def handle_MAIL(self, server, session, envelope, address, options):
        self.rest -= 1
        if self.rest < 0:
            return "421 4.7.0 too many messages"
        if "mail" in self.replies:
            return self.replies["mail"]
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if "rcpt" in self.replies:
            return self.replies["rcpt"]
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        if "data" in self.replies:
            return self.replies["data"]
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = list(message.walk())
        tell(
            {
                "connection": self.connection,
                "greeting": session.host_name,
                "sender": envelope.mail_from,
                "recipients": envelope.rcpt_tos,
                "isEncrypted": server.transport.get_extra_info("sslcontext") is not None,
                "isAuthenticated": bool(session.authenticated),
                "fields": [[name, str(value)] for name, value in message.items()],
                "types": [part.get_content_type() for part in parts],
                "defects": [
                    str(defect)
                    for part in parts
                    for defect in part.defects
                    + [one for value in part.values() for one in value.defects]
                ],
                "text": part(message, "plain"),
                "html": part(message, "html"),
                "raw": envelope.content.decode("ascii", "backslashreplace"),
            }
        )
        return "250 2.0.0 OK"


class Stopping(asyncio.Protocol):
    """A server that says nothing any more from some point on and keeps the connection, or hangs up."""

    replies = {b"EHLO": "250 mail.example.com", b"MAIL": "250 OK", b"RCPT": "250 OK", b"DATA": "354 Go on"}

    def __init__(self, point):
        self.point = point
        self.rest = b""

    def connection_made(self, transport):
        self.transport = transport
        if self.point == "greeting":
            tell({"stoppedAt": "greeting"})
        else:
            self.reply("220 mail.example.com")

    def reply(self, line):
        self.transport.write(line.encode() + b"\r\n")

    def data_received(self, data):
        if self.point == "greeting":
            return
        *lines, self.rest = (self.rest + data).split(b"\r\n")
        for line in lines:
            if self.point == "content" and line.startswith(b"Subject:"):
                # In the middle of the message: the rest stays in the system's buffers.
                self.transport.pause_reading()
                tell({"stoppedAt": "content"})
                return
            if self.point == "hangUp" and line == b"DATA":
                self.transport.abort()
                return
            if self.point == "end" and line == b".":
                tell({"stoppedAt": "end"})
            if self.point == "goodbye" and line == b".":
                self.reply("250 OK")
            if self.point == "goodbye" and line == b"QUIT":
                tell({"stoppedAt": "goodbye"})
            if line[:4] in self.replies:
                self.reply(self.replies[line[:4]])


def tell(value):
    print(json.dumps(value), flush=True)


async def main(options):
    context = None
    if "name" in options:
        context = certificate(options["name"], pathlib.Path(options["folder"]))
    is_tls = options.get("isTLS", False)

    def authenticate(server, session, envelope, mechanism, data):
        wanted = (options["user"].encode(), options["password"].encode())
        # Not handled: the server itself tells the client.
        return AuthResult(success=(data.login, data.password) == wanted, handled=False)

    numbers = itertools.count(1)

    def connection():
        if "stopsAt" in options:
            return Stopping(options["stopsAt"])
        return SMTP(
            Handler(next(numbers), options),
            hostname="mail.example.com",
            tls_context=None if is_tls else context,
            require_starttls=context is not None and not is_tls,
            authenticator=authenticate if "user" in options else None,
            auth_required="user" in options,
            auth_require_tls=False,
            loop=asyncio.get_running_loop(),
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        connection, "127.0.0.1", options.get("port", 0), ssl=context if is_tls else None
    )
    tell({"port": server.sockets[0].getsockname()[1]})
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main(json.loads(sys.argv[1])))
