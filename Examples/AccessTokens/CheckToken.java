import java.math.BigInteger;
import java.net.URI;
import java.net.http.*;
import java.security.*;
import java.security.spec.*;
import java.time.Duration;
import java.time.Instant;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** Checks access tokens of the accounts server, with the JDK alone. Copy the other classes into your service. */
class CheckToken {
    /** Prints the account of each token on standard input, with the line's number. +300 moves the clock of the keys. */
    public static void main(String[] arguments) {
        var moved = new AtomicLong();
        var tokens = new AccessTokens(arguments[0], arguments[1], () -> AccessTokens.seconds() + moved.get());
        var lines = new Scanner(System.in);
        for (int next = 1; lines.hasNextLine(); next++) {
            var number = next;
            var line = lines.nextLine().strip();
            if (line.startsWith("+")) moved.addAndGet(Long.parseLong(line));
            else new Thread(() -> System.out.println(number + " " + answer(tokens, line))).start();
        }
    }

    private static String answer(AccessTokens tokens, String token) {
        try {
            return tokens.check(token);
        } catch (KeysUnavailable error) {
            return "unavailable: " + error.getMessage();
        } catch (GeneralSecurityException error) {
            return "refused: " + error.getMessage();
        }
    }
}

/** The accounts server does not publish its keys now: respond with 503, not with 401. */
class KeysUnavailable extends Exception {
    KeysUnavailable() {
        super("the accounts server does not publish its keys now");
    }
}

/**
 * Fetches the keys after 300 seconds, and for an unknown key, but not twice in 10 seconds.
 * Checks wait for a fetch. After a failed one they use the last keys, up to 24 hours old.
 */
class AccessTokens {
    private final String issuer;
    private final String audience;
    private final LongSupplier clock;
    private final HttpClient client = HttpClient.newHttpClient();
    private Map<String, PublicKey> keys = Map.of();
    private long fetchedAt;
    private long triedAt;
    private boolean hasFailed;
    private CompletableFuture<Void> fetch = CompletableFuture.completedFuture(null);

    AccessTokens(String issuer, String audience) {
        this(issuer, audience, AccessTokens::seconds);
    }

    AccessTokens(String issuer, String audience, LongSupplier clock) {
        this.issuer = issuer;
        this.audience = audience;
        this.clock = clock;
        triedAt = fetchedAt = clock.getAsLong() - 100_000;
    }

    static long seconds() {
        return System.nanoTime() / 1_000_000_000;
    }

    /** The account of a valid token; throws GeneralSecurityException for any other, or KeysUnavailable. */
    String check(String token) throws GeneralSecurityException, KeysUnavailable {
        try {
            return account(token.split("\\.", -1));
        } catch (IllegalArgumentException error) {
            throw new GeneralSecurityException(error);
        }
    }

    private String account(String[] parts) throws GeneralSecurityException, KeysUnavailable {
        require(parts.length == 3, "it is not a JWT");
        var header = decoded(parts[0]);
        // RFC 9068, section 4: an identity token must not pass for an access token.
        require(member(header, "typ").equalsIgnoreCase("at+jwt"), "it is not an access token");
        require(member(header, "alg").equals("ES256"), "it is not signed with ES256");
        var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initVerify(key(member(header, "kid")));
        signature.update((parts[0] + "." + parts[1]).getBytes());
        require(signature.verify(Base64.getUrlDecoder().decode(parts[2])), "its signature is not valid");
        // What is signed is the accounts server's own flat JSON, so member() can read it.
        var claims = decoded(parts[1]);
        require(member(claims, "iss").equals(issuer), "it has another issuer");
        require(member(claims, "aud").equals(audience), "it is for another audience");
        var end = Instant.ofEpochSecond(Long.parseLong(member(claims, "exp")));
        require(Instant.now().isBefore(end.plusSeconds(60)), "it has expired");
        require(!member(claims, "sub").isEmpty(), "it has no account");
        return member(claims, "sub");
    }

    private PublicKey key(String keyID) throws GeneralSecurityException, KeysUnavailable {
        awaited(keyID).join();
        synchronized (this) {
            if (hasFailed && !keys.containsKey(keyID)) throw new KeysUnavailable();
            require(keys.containsKey(keyID), "its key is unknown");
            return keys.get(keyID);
        }
    }

    /** Starts a fetch that is due, and returns the one for which this key waits. */
    private synchronized CompletableFuture<Void> awaited(String keyID) {
        var now = clock.getAsLong();
        if (now - fetchedAt > 86_400) keys = Map.of();
        var isDue = now - fetchedAt > 300;
        var isKnown = keys.containsKey(keyID);
        // Anyone can invent a key, hence the pause.
        if ((isDue || !isKnown) && now - triedAt > 10 && fetch.isDone()) {
            triedAt = now;
            var request = HttpRequest.newBuilder(URI.create(issuer + "/.well-known/jwks.json"))
                    .timeout(Duration.ofSeconds(5)).build();
            // The request's limit ends with the header fields, the second one with the body.
            fetch = client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                    .orTimeout(6, TimeUnit.SECONDS).handle(this::received);
        }
        return isKnown && (!isDue || hasFailed) ? CompletableFuture.completedFuture(null) : fetch;
    }

    private synchronized Void received(HttpResponse<String> response, Throwable error) {
        try {
            if (error != null || response.statusCode() != 200) throw new GeneralSecurityException(error);
            var found = keys(response.body());
            require(!found.isEmpty(), "no key");
            keys = found;
            fetchedAt = clock.getAsLong();
            hasFailed = false;
        } catch (GeneralSecurityException | IllegalArgumentException failure) {
            System.err.println("the keys of the accounts server: " + (response == null ? failure : response));
            hasFailed = true;
        }
        return null;
    }

    private static Map<String, PublicKey> keys(String set) throws GeneralSecurityException {
        var curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        var keys = new HashMap<String, PublicKey>();
        var each = Pattern.compile("\\{[^{}]*}").matcher(set);
        while (each.find()) {
            if (!member(each.group(), "crv").equals("P-256")) continue;
            var point = new ECPoint(number(member(each.group(), "x")), number(member(each.group(), "y")));
            var spec = new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class));
            keys.put(member(each.group(), "kid"), KeyFactory.getInstance("EC").generatePublic(spec));
        }
        return keys;
    }

    /** A text or a number of a flat JSON object; empty if there is none. */
    private static String member(String json, String name) {
        var found = Pattern.compile("\"" + name + "\"\\s*:\\s*(?:\"([^\"\\\\]*)\"|(\\d+))").matcher(json);
        if (!found.find()) return "";
        return found.group(1) != null ? found.group(1) : found.group(2);
    }

    private static void require(boolean condition, String reason) throws GeneralSecurityException {
        if (!condition) throw new GeneralSecurityException(reason);
    }

    private static String decoded(String part) {
        return new String(Base64.getUrlDecoder().decode(part));
    }

    private static BigInteger number(String text) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(text));
    }
}
