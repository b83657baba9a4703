import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

/** The emulator runs in a container for all tests, and each test has a world of its own in it. */
@Testcontainers
class TestcontainersTest {
    static final int APPLE = 8081;
    static final int CONTROL = 8082;
    static final int SMTP = 8025;

    @Container
    static final GenericContainer<?> EMULATOR = new GenericContainer<>(DockerImageName.parse("siwa:0.1.0"))
            .withExposedPorts(APPLE, CONTROL, SMTP)
            .waitingFor(Wait.forHttp("/health").forPort(CONTROL).forStatusCode(200));

    private final HttpClient http = HttpClient.newHttpClient();
    private JsonNode world;

    @BeforeEach
    void createWorld() throws Exception {
        world = new ObjectMapper().readTree(post(url(CONTROL) + "/worlds", "{}"));
    }

    @AfterEach
    void removeWorld() throws Exception {
        var address = URI.create(url(CONTROL) + "/worlds/" + world.get("world").asText());
        http.send(HttpRequest.newBuilder(address).DELETE().build(), BodyHandlers.discarding());
    }

    /** For your server, in place of https://appleid.apple.com. */
    String appleURL() {
        return url(APPLE) + world.get("path").asText();
    }

    /** The control API of the test's world. */
    String controlURL() {
        return url(CONTROL) + world.get("path").asText();
    }

    @Test
    void aPersonSignsIn() throws Exception {
        post(controlURL() + "/authorizations/next", "{\"person\": \"maya@example.com\", \"email\": \"hide\"}");
        var query = "?client_id=com.example.juice.web&response_type=code%20id_token&response_mode=form_post"
                + "&redirect_uri=https://juice.example.com/sign-in/apple/callback&scope=name%20email&nonce=n";
        var address = URI.create(appleURL() + "/auth/authorize" + query);
        var page = http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("name=\"code\""), page.body());
    }

    private String post(String url, String json) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(json)).build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    private static String url(int port) {
        return "http://" + EMULATOR.getHost() + ":" + EMULATOR.getMappedPort(port);
    }
}
