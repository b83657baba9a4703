package app

import (
	"encoding/json"
	"net/http"
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

func TestOtherTestsAtTheSameEmulatorSeeNoneOfThis(t *testing.T) {
	siwa, app := appAndApple(t)
	siwa.Post("/signing-keys/rotate", Fields{"keep_old": false})
	siwa.Post("/faults", Fields{"endpoint": "keys", "status": 503})
	if _, status := keyNames(siwa); status != 503 {
		t.Fatal(status)
	}
	current := siwa.Get("/state")["signing_keys"].([]any)
	names, _ := keyNames(siwa)
	if len(names) != len(current) || names[0] != current[0] {
		t.Fatal(names, current)
	}
	if err := app.Write("maya@example.com", siwa.ClientID); err != nil {
		t.Fatal(err)
	}
	siwa.Person = "maya@example.com"
	if mail := siwa.Mail(); !reflect.DeepEqual(mail, []string{siwa.ClientID}) {
		t.Fatal(mail)
	}
	siwa.Decide("cancel", nil)
	if answer := siwa.Answer(); answer["error"] != "user_cancelled_authorize" {
		t.Fatal(answer)
	}
}

func keyNames(siwa *Siwa) ([]string, int) {
	response, err := http.Get(siwa.Apple + "/auth/keys")
	siwa.must(err)
	defer response.Body.Close()
	var set struct{ Keys []struct{ Kid string } }
	_ = json.NewDecoder(response.Body).Decode(&set)
	names := []string{}
	for _, key := range set.Keys {
		names = append(names, key.Kid)
	}
	return names, response.StatusCode
}

// appAndApple starts a server and gives it an Apple.
func appAndApple(t *testing.T) (*Siwa, *App) {
	app := Start()
	t.Cleanup(app.Close)
	siwa := NewSiwa(t, app.URL()+"/callback", app.URL()+"/notifications")
	app.Settings = Settings{siwa.Apple, siwa.TeamID, siwa.KeyID, siwa.PrivateKey, siwa.AppID,
		siwa.ClientID, siwa.ReturnURL, siwa.SMTP, siwa.SMTPUser, siwa.MailDomain}
	return siwa, app
}
