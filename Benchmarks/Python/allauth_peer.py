"""django-allauth's headless token login, as its documentation sets it up, for the benchmark of sign-ins.

gunicorn runs it with two workers. SQLite is in WAL with synchronous=FULL, which is read back, and as durable as the
compared server. Only the URL of Apple's keys is changed to the benchmark's.

    DATABASE=… KEYS_URL=… AUDIENCE=… python allauth_peer.py migrate
    DATABASE=… KEYS_URL=… AUDIENCE=… python allauth_peer.py serve 127.0.0.1:8000

It ends with who started it.
"""

import os
import signal
import sys
import threading
import time

import django
from django.conf import settings
from django.db.backends.signals import connection_created
from django.urls import include, path

FULL = 2


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


# The workers import this file again: the server itself must not set up anything.
if __name__ == "__main__" and sys.argv[1] == "serve":
    from gunicorn.app.wsgiapp import run

    # Who started it may have had signals blocked, which a child inherits.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
    options = ["--workers", "2", "--bind", sys.argv[2], "--log-level", "warning"]
    sys.argv = ["gunicorn", *options, "allauth_peer:application"]
    sys.exit(run())

settings.configure(
    SECRET_KEY=os.urandom(32).hex() if "SECRET_KEY" not in os.environ else os.environ["SECRET_KEY"],
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["DATABASE"],
            # Workers wait for each other's write locks instead of failing.
            "OPTIONS": {"timeout": 30, "transaction_mode": "IMMEDIATE"},
            "CONN_MAX_AGE": None,
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.apple",
        "allauth.headless",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    TEMPLATES=[
        {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
    ],
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    HEADLESS_ONLY=True,
    HEADLESS_FRONTEND_URLS={},
    ACCOUNT_EMAIL_VERIFICATION="none",
    # One address signs in as thousands of people here.
    ACCOUNT_RATE_LIMITS=False,
    SOCIALACCOUNT_PROVIDERS={
        "apple": {"APPS": [{"client_id": os.environ["AUDIENCE"], "secret": "", "key": ""}]}
    },
    USE_TZ=True,
)


def make_durable(connection, **kwargs):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        if cursor.execute("PRAGMA synchronous").fetchone()[0] != FULL:
            raise RuntimeError("the database is not durable")


connection_created.connect(make_durable)
django.setup()

from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter  # noqa: E402

AppleOAuth2Adapter.public_key_url = os.environ["KEYS_URL"]

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("_allauth/", include("allauth.headless.urls")),
]

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    execute_from_command_line()
else:
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
