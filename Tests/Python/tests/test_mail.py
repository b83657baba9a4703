"""Mail to relay addresses, written by smtplib and swaks as they are."""

import shutil
import smtplib
import socket
import ssl
from email.message import EmailMessage

import pytest

from processes import completed, running_emulator

SENDER = "news@python.example.com"
TIMEOUT_SECONDS = 60


@pytest.fixture
def server(addresses):
    host, port = addresses["smtp"].rsplit(":", 1)
    return host, int(port)


@pytest.fixture
def relay(world):
    """A relay address whose team may write from python.example.com."""
    world.add("/mail-sources", team_id=world.team_id, domain="python.example.com")
    return world.credentials(email="hide")["email"]


@pytest.fixture
def client(server):
    with smtplib.SMTP(*server, timeout=TIMEOUT_SECONDS) as client:
        yield client


def message(to, sender=SENDER):
    mail = EmailMessage()
    mail["From"] = f"Python News <{sender}>"
    mail["To"] = to
    mail["Subject"] = "Grüße"
    mail.set_content("Hello.\n.a line that begins with a dot\n")
    mail.add_alternative("<p>Hello, <b>Inês</b>.</p>", subtype="html")
    mail.add_attachment(b"\x00\x01", maintype="application", subtype="pdf", filename="ä.pdf")
    return mail


def only_mail(world):
    (summary,) = world.call("GET", "/mail")["messages"]
    return world.call("GET", f"/mail/{summary['id']}")


def test_the_extensions_are_told(client):
    client.ehlo()
    for name in ("pipelining", "size", "8bitmime", "smtputf8", "enhancedstatuscodes"):
        assert client.has_extn(name)
    assert not client.has_extn("starttls")


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    data = str(tmp_path_factory.mktemp("tls"))
    with running_emulator("--tls", "--tls-port", "0", "--tls-data", data) as addresses:
        yield addresses


@pytest.mark.parametrize("host", ["localhost", "appleid.apple.com"])
def test_a_mail_client_begins_tls(secure, host):
    port = int(secure["smtp"].rsplit(":", 1)[1])
    context = ssl.create_default_context(cafile=secure["ca"])
    with smtplib.SMTP("127.0.0.1", port, timeout=TIMEOUT_SECONDS) as client:
        client._host = host  # the name that smtplib verifies
        client.ehlo()
        assert client.has_extn("starttls")
        client.login("before", "any password")
        assert client.starttls(context=context)[0] == 220
        client.ehlo()
        assert not client.has_extn("starttls")
        client.login("after", "any password")
        assert client.send_message(message("inbox@example.org"), from_addr=SENDER) == {}


@pytest.mark.parametrize("is_together", [True, False])
def test_plain_text_after_starttls_is_refused(secure, is_together):
    port = int(secure["smtp"].rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as client:
        lines = client.makefile("rb")
        assert lines.readline().startswith(b"220")
        client.sendall(b"EHLO attacker\r\n")
        while lines.readline().startswith(b"250-"):
            pass
        client.sendall(b"STARTTLS\r\n" + b"EHLO hidden\r\n" * is_together)
        assert lines.readline().startswith(b"503" if is_together else b"220")
        if not is_together:
            client.sendall(b"EHLO hidden\r\n")
        assert b"250" not in lines.read()


def test_a_mail_arrives_whole(world, relay, client):
    assert client.send_message(message(relay), from_addr=SENDER) == {}
    mail = only_mail(world)
    assert mail["person"] == world.email and mail["relay_email"] == relay
    assert mail["subject"] == "Grüße"
    assert mail["text"].splitlines() == ["Hello.", ".a line that begins with a dot"]
    assert "<b>Inês</b>" in mail["html"]
    assert mail["attachments"] == [
        {"content_type": "application/pdf", "byte_count": 2, "filename": "ä.pdf"}
    ]
    assert mail["from"].startswith("Python News <news_at_python_example_com_")
    assert SENDER not in mail["raw"]


def test_some_recipients_are_refused(world, relay, client):
    unknown = "nobody1234@privaterelay.appleid.com"
    assert set(client.sendmail(SENDER, [unknown, relay], "Subject: x\r\n\r\nx")) == {unknown}
    assert only_mail(world)["relay_email"] == relay
    body = {"client_id": world.app_id, "enabled": False}
    world.call("POST", f"/people/{world.email}/forwarding", body)
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        client.sendmail(SENDER, [relay, unknown], "Subject: x\r\n\r\nx")
    assert refusal.value.recipients == {
        relay: (550, b"5.7.1 Relay not permitted"),
        unknown: (550, b"5.7.1 Email rejected due to transformation error"),
    }


def test_international_addresses(world, client):
    world.add("/people", email="jürgen@müller.example")
    client.ehlo()
    client.send_message(message("jürgen@müller.example"), SENDER)
    assert only_mail(world)["person"] == "jürgen@müller.example"


def swaks(server, to, sender=SENDER, *options):
    if shutil.which("swaks") is None:
        pytest.fail("swaks is not installed; scripts/setup test installs it")
    host, port = server
    command = ["swaks", "--server", f"{host}:{port}", "--to", to, "--from", sender]
    return completed(command + list(options), timeout=TIMEOUT_SECONDS)


@pytest.mark.parametrize("options", [(), ("--pipeline",), ("--protocol", "SMTP")])
def test_swaks_delivers(world, relay, server, options):
    result = swaks(server, relay, SENDER, "--header", "Subject: From swaks", *options)
    assert result.returncode == 0, result.stdout + result.stderr
    assert only_mail(world)["subject"] == "From swaks"


def test_swaks_is_refused(world, relay, server):
    result = swaks(server, relay, "a@other.example")
    assert result.returncode == 26, result.stdout + result.stderr
    assert "550 5.1.1 <a@other.example>: unauthorized sender" in result.stdout
    result = swaks(server, "nobody1234@privaterelay.appleid.com")
    assert result.returncode == 24
    assert "550 5.7.1 Email rejected due to transformation error" in result.stdout
