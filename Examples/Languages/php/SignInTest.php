<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/App.php';
require_once __DIR__ . '/Siwa.php';

/** A person's whole way through an app: sign in, get mail, stop using it. */
final class SignInTest extends TestCase
{
    private App $app;
    private Siwa $siwa;

    protected function setUp(): void
    {
        $this->app = new App();
        $this->siwa = new Siwa("{$this->app->url()}/callback", "{$this->app->url()}/notifications");
        $this->app->siwa = $this->siwa;
    }

    public function testAPersonSignsInGetsMailAndLeaves(): void
    {
        $this->siwa->decide('continue', ['email' => 'hide']);
        $user = $this->app->redeem($this->siwa->answer()['code']);
        $this->assertStringEndsWith('@privaterelay.appleid.com', $user['email']);

        $this->app->write($user['email'], 'Welcome');
        $this->assertSame(['Welcome'], array_column($this->siwa->mail(), 'subject'));

        $this->siwa->stopUsing();
        $event = $this->app->nextNotification();
        $this->assertSame(['consent-revoked', $user['sub']], [$event['type'], $event['sub']]);
    }

    public function testAPersonCancels(): void
    {
        $this->siwa->decide('cancel');
        $this->assertSame('user_cancelled_authorize', $this->siwa->answer()['error']);
    }

    public function testOtherTestsAtTheSameEmulatorSeeNoneOfThis(): void
    {
        $this->siwa->post('/signing-keys/rotate', ['keep_old' => false]);
        $this->siwa->post('/faults', ['endpoint' => 'keys', 'status' => 503]);
        $url = "{$this->siwa->apple}/auth/keys";
        $this->assertFalse(@file_get_contents($url));
        $published = json_decode(file_get_contents($url), true)['keys'];
        $this->assertSame($this->siwa->get('/state')['signing_keys'], array_column($published, 'kid'));

        $this->app->write('maya@example.com', $this->siwa->clientID);
        $mail = $this->siwa->get('/mail?person=maya@example.com')['messages'];
        $this->assertSame([$this->siwa->clientID], array_column($mail, 'subject'));

        $this->siwa->decide('cancel');
        $this->assertSame('user_cancelled_authorize', $this->siwa->answer()['error']);
    }
}
