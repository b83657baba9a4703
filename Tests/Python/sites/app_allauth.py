"""A Django site with django-allauth: its own views, addresses and database, in memory."""

import django
from django.conf import settings

HOST = "python.example.com"
CALLBACK = f"https://{HOST}/apple/login/callback/"


def configure(**others):
    """The settings that allauth's documentation asks for, and a site's own."""
    settings.configure(
        SECRET_KEY="a key of tests",
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
            "django.middleware.security.SecurityMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "allauth.account.middleware.AccountMiddleware",
        ],
        AUTHENTICATION_BACKENDS=[
            "django.contrib.auth.backends.ModelBackend",
            "allauth.account.auth_backends.AuthenticationBackend",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        SOCIALACCOUNT_QUERY_EMAIL=True,
        USE_TZ=True,
        **others,
    )
    django.setup()


def apple(registration):
    """What the settings say of the app at Apple."""
    app = {
        "client_id": registration.client_id,
        "secret": registration.key_id,
        "key": registration.team_id,
        "settings": {"certificate_key": registration.private_key},
    }
    return {"apple": {"APPS": [app]}}


def start():
    """Makes the site; Django has one in a process."""
    if settings.configured:
        return
    configure(
        ALLOWED_HOSTS=[HOST],
        ROOT_URLCONF="allauth.urls",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        LOGIN_REDIRECT_URL="/welcome",
        ACCOUNT_EMAIL_VERIFICATION="none",
        SOCIALACCOUNT_STORE_TOKENS=True,
    )
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def register(registration):
    settings.SOCIALACCOUNT_PROVIDERS = apple(registration)
