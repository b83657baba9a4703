// Checks an access token of the accounts server, with golang-jwt. Copy accessTokens into your service.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

type accessTokens struct {
	issuer, audience string
	lock             sync.Mutex
	keys             map[string]*ecdsa.PublicKey
	fetchedAt        time.Time
}

// check returns the claims of a valid token, and an error for any other.
func (tokens *accessTokens) check(token string) (*jwt.RegisteredClaims, error) {
	claims := &jwt.RegisteredClaims{}
	_, err := jwt.ParseWithClaims(token, claims, tokens.key, jwt.WithValidMethods([]string{"ES256"}))
	if err != nil {
		return nil, err
	}
	if !claims.VerifyExpiresAt(time.Now(), true) {
		return nil, errors.New("it has expired")
	}
	if !claims.VerifyIssuer(tokens.issuer, true) || !claims.VerifyAudience(tokens.audience, true) {
		return nil, errors.New("it is of another issuer or for another audience")
	}
	return claims, nil
}

// key fetches the keys again after 300 seconds; for an unknown key after 10, because anyone can invent one.
func (tokens *accessTokens) key(token *jwt.Token) (interface{}, error) {
	// RFC 9068, section 4: an identity token must not pass for an access token.
	if typ, _ := token.Header["typ"].(string); !strings.EqualFold(typ, "at+jwt") {
		return nil, errors.New("it is not an access token")
	}
	keyID, _ := token.Header["kid"].(string)
	tokens.lock.Lock()
	defer tokens.lock.Unlock()
	age := time.Since(tokens.fetchedAt)
	if age > 300*time.Second || age > 10*time.Second && tokens.keys[keyID] == nil {
		if err := tokens.fetch(); err != nil {
			return nil, err
		}
	}
	if key := tokens.keys[keyID]; key != nil {
		return key, nil
	}
	return nil, errors.New("its key is unknown")
}

func (tokens *accessTokens) fetch() error {
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Get(tokens.issuer + "/.well-known/jwks.json")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var set struct {
		Keys []struct{ Kid, X, Y string }
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 65536)).Decode(&set); err != nil {
		return err
	}
	tokens.keys, tokens.fetchedAt = map[string]*ecdsa.PublicKey{}, time.Now()
	for _, key := range set.Keys {
		tokens.keys[key.Kid] = &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
	}
	return nil
}

func number(text string) *big.Int {
	bytes, _ := base64.RawURLEncoding.DecodeString(text)
	return new(big.Int).SetBytes(bytes)
}

func main() {
	token, _ := io.ReadAll(os.Stdin)
	tokens := &accessTokens{issuer: os.Args[1], audience: os.Args[2]}
	claims, err := tokens.check(strings.TrimSpace(string(token)))
	if err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
		os.Exit(1)
	}
	fmt.Println(claims.Subject)
}
