"""A Django site with django-allauth: its own views, addresses and database, in memory."""

import django
from django.conf import settings

HOST = "python.example.com"
CALLBACK = f"https://{HOST}/apple/login/callback/"


def start():
    """Makes the site; Django has one in a process."""
    if settings.configured:
        return
    settings.configure(
        SECRET_KEY="a key of tests",
        ALLOWED_HOSTS=[HOST],
        ROOT_URLCONF="allauth.urls",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "allauth",
            "allauth.account",
            "allauth.socialaccount",
            "allauth.socialaccount.providers.apple",
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "allauth.account.middleware.AccountMiddleware",
        ],
        AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": ["django.template.context_processors.request"]
                },
            }
        ],
        LOGIN_REDIRECT_URL="/welcome",
        ACCOUNT_EMAIL_VERIFICATION="none",
        SOCIALACCOUNT_QUERY_EMAIL=True,
        SOCIALACCOUNT_STORE_TOKENS=True,
        USE_TZ=True,
    )
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def register(registration):
    """The settings that allauth's documentation asks for, and nothing else."""
    settings.SOCIALACCOUNT_PROVIDERS = {
        "apple": {
            "APPS": [
                {
                    "client_id": registration.client_id,
                    "secret": registration.key_id,
                    "key": registration.team_id,
                    "settings": {"certificate_key": registration.private_key},
                }
            ]
        }
    }
