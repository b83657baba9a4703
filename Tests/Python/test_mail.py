"""Mail to relay addresses, written by smtplib and swaks as they are."""

import shutil
import smtplib
import socket
from email.message import EmailMessage

import pytest

from processes import completed

SENDER = "news@python.example.com"
TIMEOUT_SECONDS = 20


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


def test_the_person_answers(world, relay, client):
    client.send_message(message(relay), from_addr=SENDER)
    number = only_mail(world)["id"]
    answer = world.call("POST", f"/mail/{number}/reply", {"text": "Obrigada!"}, 201)
    assert (answer["from"], answer["to"]) == (relay, SENDER)
    assert answer["text"] == "Obrigada!" and answer["state"] == "kept"


def test_a_foreign_sender_is_refused(world, relay, client):
    with pytest.raises(smtplib.SMTPDataError) as refusal:
        client.send_message(message(relay, "a@other.example"), "a@other.example")
    assert refusal.value.smtp_code == 550
    assert refusal.value.smtp_error == b"5.1.1 <a@other.example>: unauthorized sender"
    (bounce,) = world.call("GET", f"/mail?person={world.email}")["bounces"]
    assert bounce["smtp"].endswith("unauthorized sender") and bounce["reason"]


def test_forwarding_off_and_unknown_addresses_are_refused(world, relay, client):
    body = {"client_id": world.app_id, "enabled": False}
    world.call("POST", f"/people/{world.email}/forwarding", body)
    unknown = "nobody1234@privaterelay.appleid.com"
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        client.sendmail(SENDER, [relay, unknown], "Subject: x\r\n\r\nx")
    assert refusal.value.recipients == {
        relay: (550, b"5.7.1 Relay not permitted"),
        unknown: (550, b"5.7.1 Email rejected due to transformation error"),
    }


def test_what_is_refused_for_one_reaches_the_other(world, relay, client):
    unknown = "nobody1234@privaterelay.appleid.com"
    assert set(client.sendmail(SENDER, [unknown, relay], "Subject: x\r\n\r\nx")) == {unknown}
    assert only_mail(world)["relay_email"] == relay


def test_a_big_mail_is_refused_before_it_is_sent(relay, client):
    client.ehlo()
    code, _ = client.mail(SENDER, ["SIZE=20971521"])
    assert code == 552


def test_international_addresses(world, client):
    world.add("/people", email="jürgen@müller.example")
    client.ehlo()
    client.send_message(message("jürgen@müller.example"), SENDER)
    assert only_mail(world)["person"] == "jürgen@müller.example"


def test_a_bare_line_feed_smuggles_nothing(world, server):
    with socket.create_connection(server, timeout=TIMEOUT_SECONDS) as connection:
        connection.sendall(
            b"EHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<ines@example.com>\r\nDATA\r\n"
            b"x\r\n.\nMAIL FROM:<>\r\nRCPT TO:<ines@example.com>\r\nDATA\r\ny\r\n.\r\n"
        )
        received = b""
        while part := connection.recv(4096):
            received += part
    assert received.splitlines()[-1] == b"521 5.5.2 a CR or LF came by itself"
    assert world.call("GET", "/mail")["messages"] == []


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
