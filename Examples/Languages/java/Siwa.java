// siwa 0.1.0

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that starts or finds the emulator of Sign in with Apple: copy this file beside your tests.
 *
 * <p>Each test gets a team, a key, an app, a Services ID and a person that no other test has.
 */
class Siwa implements BeforeEachCallback, AfterEachCallback {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern INPUT =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\"");

    final String returnURL;
    private final String notificationURL;
    String apple, control, smtp, smtpUser;
    String teamID, keyID, privateKey, appID, clientID, mailDomain, person;

    /** Where your server is: where browsers come back to, and where Apple posts notifications. */
    Siwa(String returnURL, String notificationURL) {
        this.returnURL = returnURL;
        this.notificationURL = notificationURL;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        // The root's store is closed, and the emulator with it, when all tests have run.
        var store = context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
        var addresses = store.getOrComputeIfAbsent(Emulator.class).addresses;
        apple = addresses.get("apple").asText();
        control = addresses.get("control").asText();
        smtp = addresses.get("smtp").asText();
        smtpUser = addresses.path("smtp_user").asText("tests");
        register();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        send(request("/authorizations/next?client_id=" + clientID).DELETE().build());
    }

    private void register() throws Exception {
        var name = UUID.randomUUID().toString().substring(0, 8);
        teamID = "TE" + name.toUpperCase();
        appID = "com.example." + name;
        clientID = appID + ".web";
        mailDomain = name + ".example.com";
        person = "maya-" + name + "@example.com";
        post("/teams", Map.of("team_id", teamID));
        var key = post("/keys", Map.of("team_id", teamID));
        keyID = key.get("key_id").asText();
        privateKey = key.get("private_key_pem").asText();
        post("/apps", Map.of(
                "client_id", appID, "team_id", teamID, "notification_url", notificationURL));
        post("/services", Map.of(
                "client_id", clientID, "primary_client_id", appID, "return_urls", List.of(returnURL)));
        post("/mail-sources", Map.of("team_id", teamID, "domain", mailDomain));
        post("/people", Map.of("email", person, "given_name", "Maya"));
    }

    /** Decides what the app's next request to sign in comes to: "continue" or "cancel". */
    void decide(String decision, Map<String, ?> choice) throws Exception {
        var fields = new HashMap<String, Object>(choice);
        fields.putAll(Map.of("person", person, "client_id", clientID, "decision", decision));
        post("/authorizations/next", fields);
    }

    /** The address to which your server sends a browser. */
    String authorizeURL() {
        return apple + "/auth/authorize?" + form(Map.of(
                "client_id", clientID, "redirect_uri", returnURL, "response_type", "code id_token",
                "response_mode", "form_post", "scope", "name email", "state", "state-1",
                "nonce", "nonce-1"));
    }

    /** What a browser posts to your server after a decision that was made ahead. */
    Map<String, String> answer() throws Exception {
        var page = send(HttpRequest.newBuilder(URI.create(authorizeURL())).build()).body();
        var fields = new LinkedHashMap<String, String>();
        INPUT.matcher(page).results().forEach(input -> fields.put(input.group(1), input.group(2)
                .replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")));
        return fields;
    }

    /** The person stops using the app, as in the settings of the Apple Account. */
    void stopUsing() throws Exception {
        post("/people/" + person + "/stop-using", Map.of("client_id", appID));
    }

    /** The messages in the person's inbox. */
    List<JsonNode> mail() throws Exception {
        return JSON.convertValue(get("/mail?person=" + person).get("messages"),
                JSON.getTypeFactory().constructCollectionType(List.class, JsonNode.class));
    }

    /** Reads something at the control port. */
    JsonNode get(String path) throws Exception {
        return call(request(path).build());
    }

    /** Changes something at the control port. */
    JsonNode post(String path, Map<String, ?> fields) throws Exception {
        var body = HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(fields));
        return call(request(path).POST(body).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(control + path));
    }

    private static JsonNode call(HttpRequest request) throws Exception {
        var response = send(request);
        if (response.statusCode() >= 400) {
            // The problem details name the field that is wrong.
            throw new AssertionError(request.uri() + ": " + response.body());
        }
        return JSON.readTree(response.body());
    }

    static HttpResponse<String> send(HttpRequest request) throws Exception {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** The emulator at SIWA_CONTROL_URL, or one that runs until all tests have run. */
    static class Emulator implements ExtensionContext.Store.CloseableResource {
        final JsonNode addresses;
        private Process process;
        private String world;

        Emulator() {
            try {
                var control = System.getenv("SIWA_CONTROL_URL");
                addresses = control == null ? start() : enterWorld(control);
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }

        /** Others may use it too: these tests have a world of their own there. */
        private JsonNode enterWorld(String control) throws IOException {
            var found = post(control + "/worlds");
            var environment = System.getenv();
            var apple = environment.get("SIWA_APPLE_URL");
            var path = found.get("path").asText();
            world = control + "/worlds/" + found.get("world").asText();
            return JSON.createObjectNode()
                    .put("apple", apple == null ? found.get("apple_url").asText() : apple + path)
                    .put("control", control + path)
                    .put("smtp", environment.getOrDefault("SIWA_SMTP", found.get("smtp").asText()))
                    .put("smtp_user", found.get("smtp_user").asText());
        }

        private static JsonNode post(String url) throws IOException {
            var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
            connection.setRequestMethod("POST");
            return JSON.readTree(connection.getInputStream());
        }

        private JsonNode start() throws IOException {
            var binary = System.getenv().getOrDefault("SIWA_BINARY", "siwa");
            process = new ProcessBuilder(binary, "emulator", "--json",
                    "--port", "0", "--control-port", "0", "--smtp-port", "0")
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            return JSON.readTree(process.inputReader().readLine());
        }

        @Override
        public void close() throws Exception {
            if (process != null) {
                process.destroy();
                return;
            }
            if (System.getenv("SIWA_KEEP_WORLDS") == null) {
                send(HttpRequest.newBuilder(URI.create(world)).DELETE().build());
            }
        }
    }
}
