// siwa 0.1.0
// Starts or finds the emulator of Sign in with Apple: copy this file beside your tests.

package app

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Fields are the members of a JSON object.
type Fields map[string]any

// Siwa is an emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has.
type Siwa struct {
	Apple, Control, SMTP, SMTPUser      string
	TeamID, KeyID, PrivateKey           string
	AppID, ClientID, ReturnURL          string
	MailDomain, Person, NotificationURL string
	t                                   *testing.T
}

// NewSiwa gives a test an Apple. The emulator is at SIWA_CONTROL_URL, or is started and ends with the test.
func NewSiwa(t *testing.T, returnURL, notificationURL string) *Siwa {
	siwa := &Siwa{t: t, SMTPUser: "tests", ReturnURL: returnURL, NotificationURL: notificationURL}
	if control := os.Getenv("SIWA_CONTROL_URL"); control != "" {
		siwa.Control = control
		siwa.enterWorld()
	} else {
		siwa.must(json.Unmarshal(start(t), siwa))
	}
	siwa.register()
	return siwa
}

// enterWorld makes a world of this test's own: others may use the emulator too.
func (siwa *Siwa) enterWorld() {
	world := siwa.Post("/worlds", Fields{})
	text := func(name string) string { return world[name].(string) }
	siwa.Apple, siwa.SMTP, siwa.SMTPUser = text("apple_url"), text("smtp"), text("smtp_user")
	if apple := os.Getenv("SIWA_APPLE_URL"); apple != "" {
		siwa.Apple = apple + text("path")
	}
	if smtp := os.Getenv("SIWA_SMTP"); smtp != "" {
		siwa.SMTP = smtp
	}
	siwa.Control += text("path")
	siwa.t.Cleanup(func() {
		if os.Getenv("SIWA_KEEP_WORLDS") == "" || !siwa.t.Failed() {
			siwa.call("DELETE", "/worlds/"+text("world"), nil)
		}
	})
}

func start(t *testing.T) []byte {
	binary := os.Getenv("SIWA_BINARY")
	if binary == "" {
		binary = "siwa"
	}
	emulator := exec.Command(binary, "emulator", "--json",
		"--port", "0", "--control-port", "0", "--smtp-port", "0")
	output, err := emulator.StdoutPipe()
	if err == nil {
		err = emulator.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = emulator.Process.Signal(os.Interrupt)
		_ = emulator.Wait()
	})
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func randomName(byteCount int) string {
	random := make([]byte, byteCount)
	_, _ = rand.Read(random)
	return hex.EncodeToString(random)
}

func (siwa *Siwa) register() {
	name := randomName(4)
	siwa.TeamID = "TE" + strings.ToUpper(name)
	siwa.AppID = "com.example." + name
	siwa.ClientID = siwa.AppID + ".web"
	siwa.MailDomain = name + ".example.com"
	siwa.Person = "maya-" + name + "@example.com"
	siwa.Post("/teams", Fields{"team_id": siwa.TeamID})
	key := siwa.Post("/keys", Fields{"team_id": siwa.TeamID})
	siwa.KeyID, siwa.PrivateKey = key["key_id"].(string), key["private_key_pem"].(string)
	siwa.Post("/apps", Fields{"client_id": siwa.AppID, "team_id": siwa.TeamID,
		"notification_url": siwa.NotificationURL})
	siwa.Post("/services", Fields{"client_id": siwa.ClientID, "primary_client_id": siwa.AppID,
		"return_urls": []string{siwa.ReturnURL}})
	siwa.Post("/mail-sources", Fields{"team_id": siwa.TeamID, "domain": siwa.MailDomain})
	siwa.Post("/people", Fields{"email": siwa.Person, "given_name": "Maya"})
	siwa.t.Cleanup(func() { siwa.call("DELETE", "/authorizations/next?client_id="+siwa.ClientID, nil) })
}

// Decide says what the app's next request to sign in comes to: "continue" or "cancel".
func (siwa *Siwa) Decide(decision string, choice Fields) {
	fields := Fields{"person": siwa.Person, "client_id": siwa.ClientID, "decision": decision}
	for name, value := range choice {
		fields[name] = value
	}
	siwa.Post("/authorizations/next", fields)
}

// AuthorizeURL is the address to which your server sends a browser.
func (siwa *Siwa) AuthorizeURL() string {
	return siwa.Apple + "/auth/authorize?" + url.Values{
		"client_id": {siwa.ClientID}, "redirect_uri": {siwa.ReturnURL},
		"response_type": {"code id_token"}, "response_mode": {"form_post"},
		"scope": {"name email"}, "state": {"state-1"}, "nonce": {"nonce-1"},
	}.Encode()
}

var input = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// Answer is what a browser posts to your server after a decision that was made ahead.
func (siwa *Siwa) Answer() map[string]string {
	response, err := http.Get(siwa.AuthorizeURL())
	siwa.must(err)
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	siwa.must(err)
	fields := map[string]string{}
	for _, match := range input.FindAllStringSubmatch(string(page), -1) {
		fields[match[1]] = html.UnescapeString(match[2])
	}
	return fields
}

// StopUsing ends the person's use of the app, as in the settings of the Apple Account.
func (siwa *Siwa) StopUsing() {
	siwa.Post("/people/"+siwa.Person+"/stop-using", Fields{"client_id": siwa.AppID})
}

// Mail has the subjects of the messages in the person's inbox.
func (siwa *Siwa) Mail() []string {
	subjects := []string{}
	for _, message := range siwa.Get("/mail?person=" + siwa.Person)["messages"].([]any) {
		subjects = append(subjects, message.(map[string]any)["subject"].(string))
	}
	return subjects
}

// Get reads something at the control port.
func (siwa *Siwa) Get(path string) Fields { return siwa.call("GET", path, nil) }

// Post changes something at the control port.
func (siwa *Siwa) Post(path string, fields Fields) Fields {
	body, err := json.Marshal(fields)
	siwa.must(err)
	return siwa.call("POST", path, body)
}

func (siwa *Siwa) call(method, path string, body []byte) Fields {
	siwa.t.Helper()
	request, err := http.NewRequest(method, siwa.Control+path, bytes.NewReader(body))
	siwa.must(err)
	response, err := http.DefaultClient.Do(request)
	siwa.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	siwa.must(err)
	if response.StatusCode >= 400 {
		// The problem details name the field that is wrong.
		siwa.must(fmt.Errorf("%s %s: %s", method, path, text))
	}
	fields := Fields{}
	if len(text) > 0 {
		siwa.must(json.Unmarshal(text, &fields))
	}
	return fields
}

func (siwa *Siwa) must(err error) {
	siwa.t.Helper()
	if err != nil {
		siwa.t.Fatal(err)
	}
}
