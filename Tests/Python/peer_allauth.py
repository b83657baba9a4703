"""A site with django-allauth, as its documentation says for Apple, behind gunicorn.

PEER has the site's settings as JSON: its folder, and what Apple's developer site gave the app.
"""

import json
import os

import django
from django.conf import settings
from django.http import JsonResponse
from django.urls import include, path

PEER = json.loads(os.environ["PEER"])

settings.configure(
    SECRET_KEY="a key of tests",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": PEER["folder"] + "/site.sqlite",
            "OPTIONS": {"timeout": 20},
        }
    },
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
    SOCIALACCOUNT_PROVIDERS={
        "apple": {
            "APPS": [
                {
                    "client_id": PEER["client_id"],
                    "secret": PEER["key_id"],
                    "key": PEER["team_id"],
                    "settings": {"certificate_key": PEER["private_key"]},
                }
            ]
        }
    },
    SOCIALACCOUNT_QUERY_EMAIL=True,
    # Django's checklist for deployment.
    SESSION_COOKIE_SECURE=True,
    CSRF_COOKIE_SECURE=True,
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    LOGIN_REDIRECT_URL="/me",
    USE_TZ=True,
    LOGGING={
        "version": 1,
        "handlers": {"console": {"class": "logging.StreamHandler"}},
        "loggers": {"django.request": {"handlers": ["console"], "level": "ERROR"}},
    },
)
django.setup()

from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402

# Only Apple's addresses are others than in production.
for name in ("access_token_url", "authorize_url", "public_key_url"):
    address = getattr(AppleOAuth2Adapter, name)
    setattr(AppleOAuth2Adapter, name, address.replace("https://appleid.apple.com", PEER["apple"]))


def me(request):
    user = request.user
    if not user.is_authenticated:
        return JsonResponse({}, status=401)
    return JsonResponse(
        {"username": user.username, "name": user.get_full_name(), "email": user.email}
    )


urlpatterns = [path("accounts/", include("allauth.urls")), path("me", me)]
call_command("migrate", verbosity=0)
application = get_wsgi_application()
