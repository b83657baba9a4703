"""A site with django-allauth, as its documentation says for Apple, behind gunicorn.

PEER has the site's settings as JSON: its folder, Apple's address, and the app's registration.
"""

import json
import os

from django.http import JsonResponse
from django.urls import include, path

import app_allauth
from world import ISSUER, Registration

PEER = json.loads(os.environ["PEER"])

app_allauth.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": PEER["folder"] + "/site.sqlite",
            "OPTIONS": {"timeout": 20},
        }
    },
    SOCIALACCOUNT_PROVIDERS=app_allauth.apple(Registration(**PEER["registration"])),
    # Django's checklist for deployment.
    SESSION_COOKIE_SECURE=True,
    CSRF_COOKIE_SECURE=True,
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    LOGIN_REDIRECT_URL="/me",
    LOGGING={
        "version": 1,
        "handlers": {"console": {"class": "logging.StreamHandler"}},
        "loggers": {"django.request": {"handlers": ["console"], "level": "ERROR"}},
    },
)

from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402

# Only Apple's addresses are others than in production.
for name in ("access_token_url", "authorize_url", "public_key_url"):
    address = getattr(AppleOAuth2Adapter, name)
    setattr(AppleOAuth2Adapter, name, address.replace(ISSUER, PEER["apple"]))


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
