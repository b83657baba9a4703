import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.*;
import java.security.*;
import java.security.spec.*;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Checks an access token of the accounts server, with the JDK alone. Copy AccessTokens into your service. */
class CheckToken {
    public static void main(String[] arguments) throws Exception {
        try {
            var token = new String(System.in.readAllBytes()).strip();
            System.out.println(new AccessTokens(arguments[0], arguments[1]).check(token));
        } catch (GeneralSecurityException | IllegalArgumentException error) {
            System.err.println("refused: " + error.getMessage());
            System.exit(1);
        }
    }
}

class AccessTokens {
    private final String issuer;
    private final String audience;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private Map<String, PublicKey> keys = Map.of();
    private Instant fetchedAt = Instant.MIN;

    AccessTokens(String issuer, String audience) {
        this.issuer = issuer;
        this.audience = audience;
    }

    /** The account of a valid token; throws for any other. */
    String check(String token) throws Exception {
        var parts = token.split("\\.", -1);
        if (parts.length != 3) throw new GeneralSecurityException("it is not a JWT");
        var header = decoded(parts[0]);
        // The signature comes first: what it covers is the accounts server's own flat JSON, so member() can read it.
        var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initVerify(key(member(header, "kid")));
        signature.update((parts[0] + "." + parts[1]).getBytes());
        if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) {
            throw new GeneralSecurityException("its signature is not valid");
        }
        // RFC 9068, section 4: an identity token must not pass for an access token.
        require(member(header, "typ").equalsIgnoreCase("at+jwt"), "it is not an access token");
        require(member(header, "alg").equals("ES256"), "it is not signed with ES256");
        var claims = decoded(parts[1]);
        require(member(claims, "iss").equals(issuer), "it has another issuer");
        require(member(claims, "aud").equals(audience), "it is for another audience");
        var end = Instant.ofEpochSecond(Long.parseLong(member(claims, "exp")));
        require(Instant.now().isBefore(end), "it has expired");
        return member(claims, "sub");
    }

    /** Fetches the keys again after 300 seconds; for an unknown key after 10, because anyone can invent one. */
    private synchronized PublicKey key(String keyID) throws Exception {
        var now = Instant.now();
        if (now.isAfter(fetchedAt.plusSeconds(keys.containsKey(keyID) ? 300 : 10))) {
            var request = HttpRequest.newBuilder(URI.create(issuer + "/.well-known/jwks.json"))
                    .timeout(Duration.ofSeconds(10)).build();
            var response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) throw new IOException("the keys: status " + response.statusCode());
            keys = keys(response.body());
            fetchedAt = now;
        }
        require(keys.containsKey(keyID), "its key is unknown");
        return keys.get(keyID);
    }

    private static Map<String, PublicKey> keys(String set) throws GeneralSecurityException {
        var curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        var keys = new HashMap<String, PublicKey>();
        var each = Pattern.compile("\\{[^{}]*}").matcher(set);
        while (each.find()) {
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
