import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A person's whole way through an app: sign in, get mail, stop using it. */
class SignInTest {
    final App app = new App();

    @RegisterExtension
    final Siwa siwa = new Siwa(app.url() + "/callback", app.url() + "/notifications");

    @BeforeEach
    void connect() {
        app.siwa = siwa;
    }

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void aPersonSignsInGetsMailAndLeaves() throws Exception {
        siwa.decide("continue", Map.of("email", "hide"));
        var user = app.redeem(siwa.answer().get("code"));
        assertTrue(user.get("email").asText().endsWith("@privaterelay.appleid.com"));

        app.write(user.get("email").asText(), "Welcome");
        assertEquals("Welcome", siwa.mail().get(0).get("subject").asText());

        siwa.stopUsing();
        var event = app.nextNotification();
        assertEquals("consent-revoked", event.get("type").asText());
        assertEquals(user.get("sub"), event.get("sub"));
    }

    @Test
    void aPersonCancels() throws Exception {
        siwa.decide("cancel", Map.of());
        assertEquals("user_cancelled_authorize", siwa.answer().get("error"));
    }

    @Test
    void otherTestsAtTheSameEmulatorSeeNoneOfThis() throws Exception {
        siwa.post("/signing-keys/rotate", Map.of("keep_old", false));
        siwa.post("/faults", Map.of("endpoint", "keys", "status", 503));
        var keys = HttpRequest.newBuilder(URI.create(siwa.apple + "/auth/keys")).build();
        assertEquals(503, Siwa.send(keys).statusCode());
        var current = siwa.get("/state").get("signing_keys");
        var published = Siwa.JSON.readTree(Siwa.send(keys).body()).get("keys");
        assertEquals(current, Siwa.JSON.valueToTree(published.findValuesAsText("kid")));

        app.write("maya@example.com", siwa.clientID);
        var mail = siwa.get("/mail?person=maya@example.com").get("messages");
        assertEquals(List.of(siwa.clientID), mail.findValuesAsText("subject"));

        siwa.decide("cancel", Map.of());
        assertEquals("user_cancelled_authorize", siwa.answer().get("error"));
    }
}
