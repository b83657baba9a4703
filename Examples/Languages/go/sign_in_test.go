package app

import (
	"reflect"
	"strings"
	"testing"
)

// A person's whole way through an app: sign in, get mail, stop using it.
func TestAPersonSignsInGetsMailAndLeaves(t *testing.T) {
	siwa, app := appAndApple(t)
	siwa.Decide("continue", Fields{"email": "hide"})
	user, err := app.Redeem(siwa.Answer()["code"])
	if err != nil || !strings.HasSuffix(user.Email, "@privaterelay.appleid.com") {
		t.Fatal(user, err)
	}
	if err := app.Write(user.Email, "Welcome"); err != nil {
		t.Fatal(err)
	}
	if mail := siwa.Mail(); !reflect.DeepEqual(mail, []string{"Welcome"}) {
		t.Fatal(mail)
	}
	siwa.StopUsing()
	event, err := app.NextNotification()
	if err != nil || event != (Event{Type: "consent-revoked", Subject: user.Subject}) {
		t.Fatal(event, err)
	}
}

func TestAPersonCancels(t *testing.T) {
	siwa, _ := appAndApple(t)
	siwa.Decide("cancel", nil)
	if answer := siwa.Answer(); answer["error"] != "user_cancelled_authorize" {
		t.Fatal(answer)
	}
}

// appAndApple starts a server and gives it an Apple.
func appAndApple(t *testing.T) (*Siwa, *App) {
	app := Start()
	t.Cleanup(app.Close)
	siwa := NewSiwa(t, app.URL()+"/callback", app.URL()+"/notifications")
	app.Settings = Settings{siwa.Apple, siwa.TeamID, siwa.KeyID, siwa.PrivateKey, siwa.AppID,
		siwa.ClientID, siwa.ReturnURL, siwa.SMTP, siwa.MailDomain}
	return siwa, app
}
