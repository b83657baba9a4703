import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What a server does for Sign in with Apple, with Java alone. In your tests, your server takes this place. */
class App implements AutoCloseable {
    private static final String ISSUER = "https://appleid.apple.com";

    private final HttpServer server;
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    Siwa siwa;

    App() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        server.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Exchanges a code; the claims of the verified identity token. */
    JsonNode redeem(String code) throws Exception {
        var body = Siwa.form(Map.of(
                "client_id", siwa.clientID, "client_secret", clientSecret(), "code", code,
                "grant_type", "authorization_code", "redirect_uri", siwa.returnURL));
        var response = Siwa.send(HttpRequest.newBuilder(URI.create(siwa.apple + "/auth/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)).build());
        if (response.statusCode() != 200) throw new IOException(response.body());
        var token = Siwa.JSON.readTree(response.body()).get("id_token").asText();
        return verify(token, siwa.clientID);
    }

    /** The event of the next notification that Apple posts, verified. */
    JsonNode nextNotification() throws Exception {
        var body = Siwa.JSON.readTree(received.poll(20, TimeUnit.SECONDS));
        var claims = verify(body.get("payload").asText(), siwa.appID);
        return Siwa.JSON.readTree(claims.get("events").asText());
    }

    /** Writes to a person, through Apple's relay if they hid their address. */
    void write(String address, String subject) throws IOException {
        var server = siwa.smtp.split(":");
        var from = "hello@" + siwa.mailDomain;
        var user = Base64.getEncoder().encodeToString(("\0" + siwa.smtpUser + "\0any").getBytes());
        String[][] lines = {
            {"HELO app.example.com", "250"}, {"AUTH PLAIN " + user, "235"}, {"MAIL FROM:<" + from + ">", "250"},
            {"RCPT TO:<" + address + ">", "250"}, {"DATA", "354"},
            {"From: " + from + "\r\nTo: " + address + "\r\nSubject: " + subject + "\r\n\r\nHello.\r\n.", "250"},
            {"QUIT", "221"},
        };
        try (var socket = new Socket(server[0], Integer.parseInt(server[1]))) {
            var replies = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            expect("220", replies.readLine());
            for (var line : lines) {
                socket.getOutputStream().write((line[0] + "\r\n").getBytes(StandardCharsets.UTF_8));
                expect(line[1], replies.readLine());
            }
        }
    }

    private static void expect(String code, String reply) throws IOException {
        if (reply == null || !reply.startsWith(code)) throw new IOException(reply);
    }

    private String clientSecret() throws Exception {
        var now = Instant.now().getEpochSecond();
        var head = encode(Map.of("alg", "ES256", "kid", siwa.keyID));
        var claims = encode(Map.of("iss", siwa.teamID, "sub", siwa.clientID, "aud", ISSUER,
                "iat", now, "exp", now + 300));
        var pem = siwa.privateKey.replaceAll("-----[^-]+-----|\\s", "");
        var key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        // A JSON web signature has the two numbers as they are, without ASN.1.
        var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(key);
        signature.update((head + "." + claims).getBytes(StandardCharsets.US_ASCII));
        return head + "." + claims + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    }

    private JsonNode verify(String token, String audience) throws Exception {
        var parts = token.split("\\.");
        var signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(key(decode(parts[0])));
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) {
            throw new GeneralSecurityException("the signature is wrong");
        }
        var claims = decode(parts[1]);
        if (!claims.path("iss").asText().equals(ISSUER)
                || !claims.path("aud").asText().equals(audience)
                || claims.path("exp").asLong() < Instant.now().getEpochSecond()) {
            throw new GeneralSecurityException("issuer, audience or expiry is wrong");
        }
        return claims;
    }

    private PublicKey key(JsonNode head) throws Exception {
        if (!head.path("alg").asText().equals("RS256")) throw new GeneralSecurityException("not RS256");
        var keys = Siwa.send(HttpRequest.newBuilder(URI.create(siwa.apple + "/auth/keys")).build());
        for (var key : Siwa.JSON.readTree(keys.body()).get("keys")) {
            if (key.get("kid").equals(head.get("kid"))) {
                return KeyFactory.getInstance("RSA")
                        .generatePublic(new RSAPublicKeySpec(number(key, "n"), number(key, "e")));
            }
        }
        throw new GeneralSecurityException("Apple has no such key");
    }

    private static BigInteger number(JsonNode key, String name) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(key.get(name).asText()));
    }

    private static String encode(Map<String, ?> object) throws IOException {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Siwa.JSON.writeValueAsBytes(object));
    }

    private static JsonNode decode(String part) throws IOException {
        return Siwa.JSON.readTree(Base64.getUrlDecoder().decode(part));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
