// Package app is what a server does for Sign in with Apple, with Go's own library. In your tests, your
// server takes this place.
package app

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"net/url"
	"strings"
	"time"
)

const issuer = "https://appleid.apple.com"

// Claims are what a verified token says.
type Claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Expires  int64  `json:"exp"`
	Subject  string `json:"sub"`
	Email    string `json:"email"`
	Events   string `json:"events"`
}

// Event is what a notification tells of a person.
type Event struct {
	Type    string `json:"type"`
	Subject string `json:"sub"`
}

// Settings are Apple's address, and what the developer portal gives.
type Settings struct {
	Apple, TeamID, KeyID, PrivateKey, AppID, ClientID, ReturnURL, SMTP, SMTPUser, MailDomain string
}

// App is a server that listens on a port of its own.
type App struct {
	Settings
	server   *httptest.Server
	received chan []byte
}

// Start starts the server.
func Start() *App {
	app := &App{received: make(chan []byte, 16)}
	app.server = httptest.NewServer(http.HandlerFunc(app.receive))
	return app
}

func (app *App) receive(_ http.ResponseWriter, request *http.Request) {
	if body, err := io.ReadAll(request.Body); err == nil {
		app.received <- body
	}
}

// URL is where the server is.
func (app *App) URL() string { return app.server.URL }

// Close ends the server.
func (app *App) Close() { app.server.Close() }

// Redeem exchanges a code; it gives the claims of the verified identity token.
func (app *App) Redeem(code string) (claims Claims, err error) {
	secret, err := app.clientSecret()
	if err != nil {
		return claims, err
	}
	response, err := http.PostForm(app.Apple+"/auth/token", url.Values{
		"client_id": {app.ClientID}, "client_secret": {secret}, "code": {code},
		"grant_type": {"authorization_code"}, "redirect_uri": {app.ReturnURL},
	})
	if err != nil {
		return claims, err
	}
	defer response.Body.Close()
	var grant struct {
		IDToken string `json:"id_token"`
		Error   string `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&grant); err != nil {
		return claims, err
	}
	if grant.Error != "" {
		return claims, errors.New(grant.Error)
	}
	return app.verify(grant.IDToken, app.ClientID)
}

// NextNotification waits for the next notification that Apple posts; it gives the verified event.
func (app *App) NextNotification() (event Event, err error) {
	var notification struct{ Payload string }
	select {
	case body := <-app.received:
		err = json.Unmarshal(body, &notification)
	case <-time.After(20 * time.Second):
		err = errors.New("no notification came")
	}
	if err != nil {
		return event, err
	}
	claims, err := app.verify(notification.Payload, app.AppID)
	if err != nil {
		return event, err
	}
	return event, json.Unmarshal([]byte(claims.Events), &event)
}

// Write writes to a person, through Apple's relay if they hid their address.
func (app *App) Write(address, subject string) error {
	from := "hello@" + app.MailDomain
	mail := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\n\r\nHello.\r\n", from, address, subject)
	return smtp.SendMail(app.SMTP, app, from, []string{address}, []byte(mail))
}

func (app *App) clientSecret() (string, error) {
	block, _ := pem.Decode([]byte(app.PrivateKey))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	now := time.Now().Unix()
	head, _ := json.Marshal(map[string]any{"alg": "ES256", "kid": app.KeyID})
	claims, _ := json.Marshal(map[string]any{"iss": app.TeamID, "sub": app.ClientID, "aud": issuer,
		"iat": now, "exp": now + 300})
	text := encode(head) + "." + encode(claims)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature), nil
}

func (app *App) verify(token, audience string) (claims Claims, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return claims, errors.New("not a token")
	}
	key, err := app.key(parts[0])
	if err != nil {
		return claims, err
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature); err != nil {
		return claims, err
	}
	if err := decode(parts[1], &claims); err != nil {
		return claims, err
	}
	if claims.Issuer != issuer || claims.Audience != audience || claims.Expires < time.Now().Unix() {
		return Claims{}, errors.New("issuer, audience or expiry is wrong")
	}
	return claims, nil
}

func (app *App) key(head string) (*rsa.PublicKey, error) {
	var header struct{ Alg, Kid string }
	if err := decode(head, &header); err != nil || header.Alg != "RS256" {
		return nil, errors.New("not RS256")
	}
	response, err := http.Get(app.Apple + "/auth/keys")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var set struct{ Keys []struct{ Kid, N, E string } }
	if err := json.NewDecoder(response.Body).Decode(&set); err != nil {
		return nil, err
	}
	for _, key := range set.Keys {
		if key.Kid == header.Kid {
			n, _ := base64.RawURLEncoding.DecodeString(key.N)
			e, _ := base64.RawURLEncoding.DecodeString(key.E)
			return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}, nil
		}
	}
	return nil, errors.New("Apple has no such key")
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func decode(part string, value any) error {
	data, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, value)
}

// Start makes the app a client that names itself to the mail server, with any password.
func (app *App) Start(_ *smtp.ServerInfo) (string, []byte, error) {
	return "PLAIN", []byte("\x00" + app.SMTPUser + "\x00any"), nil
}

// Next has nothing to add.
func (app *App) Next(_ []byte, _ bool) ([]byte, error) { return nil, nil }
