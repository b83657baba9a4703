<?php

declare(strict_types=1);

// siwa 0.1.0

/**
 * Starts or finds the emulator of Sign in with Apple: copy this file beside your tests.
 *
 * It is an emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has.
 */
final class Siwa
{
    public readonly string $apple, $control, $smtp, $smtpUser;
    public readonly string $teamID, $keyID, $privateKey, $appID, $clientID, $mailDomain, $person;
    private static ?array $addresses = null;

    public function __construct(public readonly string $returnURL, string $notificationURL)
    {
        self::$addresses ??= self::findAddresses();
        $this->apple = self::$addresses['apple'];
        $this->control = self::$addresses['control'];
        $this->smtp = self::$addresses['smtp'];
        $this->smtpUser = self::$addresses['smtp_user'] ?? 'tests';
        $name = bin2hex(random_bytes(4));
        $this->teamID = 'TE' . strtoupper($name);
        $this->appID = "com.example.$name";
        $this->clientID = "$this->appID.web";
        $this->mailDomain = "$name.example.com";
        $this->person = "maya-$name@example.com";
        $this->register($notificationURL);
    }

    /** Where the emulator is: at SIWA_CONTROL_URL, or started until PHP ends. */
    private static function findAddresses(): array
    {
        $control = getenv('SIWA_CONTROL_URL');
        if ($control) {
            // Others may use it too: these tests have a world of their own there.
            $json = ['header' => 'Content-Type: application/json', 'content' => '{}'];
            $post = stream_context_create(['http' => ['method' => 'POST', ...$json]]);
            $world = self::decode(file_get_contents("$control/worlds", false, $post));
            $end = stream_context_create(['http' => ['method' => 'DELETE']]);
            $url = "$control/worlds/$world[world]";
            if (!getenv('SIWA_KEEP_WORLDS')) {
                register_shutdown_function(fn () => file_get_contents($url, false, $end));
            }
            $apple = getenv('SIWA_APPLE_URL');
            return [
                'apple' => $apple ? $apple . $world['path'] : $world['apple_url'],
                'control' => $control . $world['path'],
                'smtp' => getenv('SIWA_SMTP') ?: $world['smtp'],
                'smtp_user' => $world['smtp_user'],
            ];
        }
        $command = [getenv('SIWA_BINARY') ?: 'siwa', 'emulator', '--json'];
        array_push($command, '--port', '0', '--control-port', '0', '--smtp-port', '0');
        $emulator = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        register_shutdown_function(fn () => proc_terminate($emulator));
        return self::decode(fgets($pipes[1]));
    }

    private function register(string $notificationURL): void
    {
        $team = ['team_id' => $this->teamID];
        $this->post('/teams', $team);
        $key = $this->post('/keys', $team);
        $this->keyID = $key['key_id'];
        $this->privateKey = $key['private_key_pem'];
        $this->post('/apps', $team + ['client_id' => $this->appID, 'notification_url' => $notificationURL]);
        $this->post('/services', [
            'client_id' => $this->clientID,
            'primary_client_id' => $this->appID,
            'return_urls' => [$this->returnURL],
        ]);
        $this->post('/mail-sources', $team + ['domain' => $this->mailDomain]);
        $this->post('/people', ['email' => $this->person, 'given_name' => 'Maya']);
    }

    /** Decides what the app's next request to sign in comes to: "continue" or "cancel". */
    public function decide(string $decision, array $choice = []): void
    {
        $who = ['person' => $this->person, 'client_id' => $this->clientID];
        $this->post('/authorizations/next', $who + ['decision' => $decision] + $choice);
    }

    /** The address to which your server sends a browser. */
    public function authorizeURL(): string
    {
        return "$this->apple/auth/authorize?" . http_build_query([
            'client_id' => $this->clientID,
            'redirect_uri' => $this->returnURL,
            'response_type' => 'code id_token',
            'response_mode' => 'form_post',
            'scope' => 'name email',
            'state' => 'state-1',
            'nonce' => 'nonce-1',
        ]);
    }

    /** What a browser posts to your server after a decision that was made ahead. */
    public function answer(): array
    {
        $page = file_get_contents($this->authorizeURL());
        preg_match_all('/<input type="hidden" name="([^"]*)" value="([^"]*)"/', $page, $inputs);
        return array_combine($inputs[1], array_map('html_entity_decode', $inputs[2]));
    }

    /** The person stops using the app, as in the settings of the Apple Account. */
    public function stopUsing(): void
    {
        $this->post("/people/$this->person/stop-using", ['client_id' => $this->appID]);
    }

    /** The messages in the person's inbox. */
    public function mail(): array
    {
        return $this->get("/mail?person=$this->person")['messages'];
    }

    /** Reads something at the control port. */
    public function get(string $path): array
    {
        return $this->call($path, ['method' => 'GET']);
    }

    /** Changes something at the control port. */
    public function post(string $path, array $fields): array
    {
        return $this->call($path, ['method' => 'POST', 'content' => json_encode($fields)]);
    }

    private function call(string $path, array $options): array
    {
        $options += ['header' => 'Content-Type: application/json', 'ignore_errors' => true];
        $text = file_get_contents($this->control . $path, false, stream_context_create(['http' => $options]));
        if (!preg_match('/ 2\d\d/', $http_response_header[0])) {
            // The problem details name the field that is wrong.
            throw new RuntimeException("$path: $text");
        }
        return self::decode($text ?: '{}');
    }

    private static function decode(string $text): array
    {
        return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    }
}
