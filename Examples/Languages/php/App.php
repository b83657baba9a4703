<?php

declare(strict_types=1);

use phpseclib3\Crypt\PublicKeyLoader;
use phpseclib3\Crypt\RSA;

/** What a server does for Sign in with Apple, with phpseclib. In your tests, your server takes this place. */
final class App
{
    private const ISSUER = 'https://appleid.apple.com';

    public Siwa $siwa;
    /** @var resource */
    private $server;

    public function __construct()
    {
        $this->server = stream_socket_server('tcp://127.0.0.1:0');
    }

    public function url(): string
    {
        return 'http://' . stream_socket_get_name($this->server, false);
    }

    /** Exchanges a code; the claims of the verified identity token. */
    public function redeem(string $code): array
    {
        $form = http_build_query([
            'client_id' => $this->siwa->clientID,
            'client_secret' => $this->clientSecret(),
            'code' => $code,
            'grant_type' => 'authorization_code',
            'redirect_uri' => $this->siwa->returnURL,
        ]);
        $header = 'Content-Type: application/x-www-form-urlencoded';
        $options = ['method' => 'POST', 'header' => $header, 'content' => $form];
        $context = stream_context_create(['http' => $options]);
        $grant = file_get_contents("{$this->siwa->apple}/auth/token", false, $context);
        return $this->verify(json_decode($grant, true)['id_token'], $this->siwa->clientID);
    }

    /** The event of the next notification that Apple posts, verified. */
    public function nextNotification(): array
    {
        $payload = json_decode($this->receive(), true)['payload'];
        return json_decode($this->verify($payload, $this->siwa->appID)['events'], true);
    }

    /** Writes to a person, through Apple's relay if they hid their address. */
    public function write(string $address, string $subject): void
    {
        $from = "hello@{$this->siwa->mailDomain}";
        $user = base64_encode("\0{$this->siwa->smtpUser}\0any");
        $server = stream_socket_client("tcp://{$this->siwa->smtp}");
        $lines = [
            ['', '220'], ["HELO app.example.com\r\n", '250'],
            ["AUTH PLAIN $user\r\n", '235'],
            ["MAIL FROM:<$from>\r\n", '250'], ["RCPT TO:<$address>\r\n", '250'], ["DATA\r\n", '354'],
            ["From: $from\r\nTo: $address\r\nSubject: $subject\r\n\r\nHello.\r\n.\r\n", '250'],
            ["QUIT\r\n", '221'],
        ];
        foreach ($lines as [$line, $code]) {
            fwrite($server, $line);
            $reply = fgets($server);
            if (!str_starts_with($reply, $code)) {
                throw new RuntimeException($reply);
            }
        }
    }

    private function clientSecret(): string
    {
        $now = time();
        $claims = ['iss' => $this->siwa->teamID, 'sub' => $this->siwa->clientID, 'aud' => self::ISSUER];
        $text = self::encode(json_encode(['alg' => 'ES256', 'kid' => $this->siwa->keyID]))
            . '.' . self::encode(json_encode($claims + ['iat' => $now, 'exp' => $now + 300]));
        // A JSON web signature has the two numbers as they are, without ASN.1.
        $key = PublicKeyLoader::load($this->siwa->privateKey)->withHash('sha256');
        ['r' => $r, 's' => $s] = $key->withSignatureFormat('Raw')->sign($text);
        return $text . '.' . self::encode(
            str_pad($r->toBytes(), 32, "\0", STR_PAD_LEFT) . str_pad($s->toBytes(), 32, "\0", STR_PAD_LEFT)
        );
    }

    private function verify(string $token, string $audience): array
    {
        [$head, $body, $signature] = explode('.', $token);
        $kid = json_decode(self::decode($head), true)['kid'];
        $keys = json_decode(file_get_contents("{$this->siwa->apple}/auth/keys"), true)['keys'];
        $key = current(array_filter($keys, fn ($key) => $key['kid'] === $kid))
            ?: throw new RuntimeException("Apple has no key $kid");
        $rsa = PublicKeyLoader::load(json_encode(['keys' => [$key]]))
            ->withPadding(RSA::SIGNATURE_PKCS1)->withHash('sha256');
        $claims = json_decode(self::decode($body), true);
        if (
            !$rsa->verify("$head.$body", self::decode($signature)) || $claims['iss'] !== self::ISSUER
            || $claims['aud'] !== $audience || $claims['exp'] < time()
        ) {
            throw new RuntimeException('signature, issuer, audience or expiry is wrong');
        }
        return $claims;
    }

    private function receive(): string
    {
        $connection = stream_socket_accept($this->server, 20);
        $head = '';
        while (!str_ends_with($head, "\r\n\r\n")) {
            $head .= fgets($connection);
        }
        preg_match('/^content-length: *(\d+)/im', $head, $length);
        $body = stream_get_contents($connection, (int) $length[1]);
        fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        fclose($connection);
        return $body;
    }

    private static function encode(string $data): string
    {
        return rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
    }

    private static function decode(string $text): string
    {
        return base64_decode(strtr($text, '-_', '+/'));
    }
}
