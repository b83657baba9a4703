// Checks access tokens of the accounts server, with golang-jwt. Copy all but main into your service.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// errKeysUnavailable asks for a response with 503, not with 401.
var errKeysUnavailable = errors.New("the accounts server does not publish its keys now")

// accessTokens fetches the keys after 300 seconds, and for an unknown key, but not twice in 10 seconds.
// Checks wait for a fetch. After a failed one they use the last keys, up to 24 hours old.
type accessTokens struct {
	issuer, audience   string
	now                func() time.Time
	lock               sync.Mutex
	keys               map[string]*ecdsa.PublicKey
	fetchedAt, triedAt time.Time
	hasFailed          bool
	fetching           chan struct{}
}

// check returns the claims of a valid token; errKeysUnavailable, or another error for any other token.
func (tokens *accessTokens) check(token string) (*jwt.RegisteredClaims, error) {
	claims := &jwt.RegisteredClaims{}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}), jwt.WithoutClaimsValidation())
	if _, err := parser.ParseWithClaims(token, claims, tokens.key); err != nil {
		return nil, err
	}
	if !claims.VerifyExpiresAt(time.Now().Add(-time.Minute), true) {
		return nil, errors.New("it has expired")
	}
	if !claims.VerifyIssuer(tokens.issuer, true) || !claims.VerifyAudience(tokens.audience, true) {
		return nil, errors.New("it is of another issuer or for another audience")
	}
	if claims.Subject == "" {
		return nil, errors.New("it has no account")
	}
	return claims, nil
}

func (tokens *accessTokens) key(token *jwt.Token) (interface{}, error) {
	// RFC 9068, section 4: an identity token must not pass for an access token.
	if typ, _ := token.Header["typ"].(string); !strings.EqualFold(typ, "at+jwt") {
		return nil, errors.New("it is not an access token")
	}
	keyID, _ := token.Header["kid"].(string)
	if fetching := tokens.awaited(keyID); fetching != nil {
		<-fetching
	}
	tokens.lock.Lock()
	defer tokens.lock.Unlock()
	if key := tokens.keys[keyID]; key != nil {
		return key, nil
	}
	if tokens.hasFailed {
		return nil, errKeysUnavailable
	}
	return nil, errors.New("its key is unknown")
}

// awaited starts a fetch that is due, and returns the one for which this key waits.
func (tokens *accessTokens) awaited(keyID string) chan struct{} {
	tokens.lock.Lock()
	defer tokens.lock.Unlock()
	now := tokens.now()
	if now.Sub(tokens.fetchedAt) > 24*time.Hour {
		tokens.keys = nil
	}
	isDue, isKnown := now.Sub(tokens.fetchedAt) > 300*time.Second, tokens.keys[keyID] != nil
	// Anyone can invent a key, hence the pause.
	if (isDue || !isKnown) && now.Sub(tokens.triedAt) > 10*time.Second && tokens.fetching == nil {
		tokens.triedAt, tokens.fetching = now, make(chan struct{})
		go tokens.fetch()
	}
	if isKnown && (!isDue || tokens.hasFailed) {
		return nil
	}
	return tokens.fetching
}

func (tokens *accessTokens) fetch() {
	keys, err := published(tokens.issuer + "/.well-known/jwks.json")
	tokens.lock.Lock()
	defer tokens.lock.Unlock()
	if err != nil {
		log.Println("the keys of the accounts server:", err)
	} else {
		tokens.keys, tokens.fetchedAt = keys, tokens.now()
	}
	tokens.hasFailed = err != nil
	close(tokens.fetching)
	tokens.fetching = nil
}

func published(url string) (map[string]*ecdsa.PublicKey, error) {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var set struct {
		Keys []struct{ Kid, Crv, X, Y string }
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 65536)).Decode(&set); err != nil {
		return nil, err
	}
	keys := map[string]*ecdsa.PublicKey{}
	for _, key := range set.Keys {
		if key.Crv == "P-256" {
			keys[key.Kid] = &ecdsa.PublicKey{Curve: elliptic.P256(), X: number(key.X), Y: number(key.Y)}
		}
	}
	if response.StatusCode != http.StatusOK || len(keys) == 0 {
		return nil, fmt.Errorf("status %d, %d keys", response.StatusCode, len(keys))
	}
	return keys, nil
}

func number(text string) *big.Int {
	bytes, _ := base64.RawURLEncoding.DecodeString(text)
	return new(big.Int).SetBytes(bytes)
}

// main prints the account of each token on standard input, with the line's number. +300 moves the clock of the keys.
func main() {
	var moved atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(moved.Load()) * time.Second) }
	tokens := &accessTokens{issuer: os.Args[1], audience: os.Args[2], now: now}
	var checks sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "+") {
			seconds, _ := strconv.ParseInt(line, 10, 64)
			moved.Add(seconds)
			continue
		}
		checks.Add(1)
		go func(number int) {
			defer checks.Done()
			claims, err := tokens.check(line)
			switch {
			case err == nil:
				fmt.Println(number, claims.Subject)
			case errors.Is(err, errKeysUnavailable):
				fmt.Println(number, "unavailable:", err)
			default:
				fmt.Println(number, "refused:", err)
			}
		}(number)
	}
	checks.Wait()
}
