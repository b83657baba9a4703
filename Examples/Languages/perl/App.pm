package App;

# What a server does for Sign in with Apple, with Crypt::JWT. In your tests, your server takes this place.

use v5.32;
use warnings;

use Crypt::JWT qw(decode_jwt encode_jwt);
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP;
use MIME::Base64;
use Net::SMTP;

use constant ISSUER => 'https://appleid.apple.com';

my $http = HTTP::Tiny->new(timeout => 20);

# A server that listens on a port of its own.
sub new {
    my ($class) = @_;
    my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8, Timeout => 20)
        or die "can't listen: $@";
    return bless { server => $server }, $class;
}

sub url {
    my ($self) = @_;
    return 'http://127.0.0.1:' . $self->{server}->sockport;
}

# Exchanges a code; the claims of the verified identity token.
sub redeem {
    my ($self, $code) = @_;
    my $siwa   = $self->{siwa};
    my $answer = $http->post_form("$siwa->{apple}/auth/token", {
        client_id     => $siwa->{client_id},
        client_secret => $self->client_secret,
        code          => $code,
        grant_type    => 'authorization_code',
        redirect_uri  => $siwa->{return_url},
    });
    die $answer->{content} unless $answer->{success};
    return $self->verify(decode_json($answer->{content})->{id_token}, $siwa->{client_id});
}

# The event of the next notification that Apple posts, verified.
sub next_notification {
    my ($self) = @_;
    my $payload = decode_json($self->receive)->{payload};
    return decode_json($self->verify($payload, $self->{siwa}{app_id})->{events});
}

# Writes to a person, through Apple's relay if they hid their address.
sub write_mail {
    my ($self, $address, $subject) = @_;
    my $from   = "hello\@$self->{siwa}{mail_domain}";
    my $server = Net::SMTP->new($self->{siwa}{smtp}) or die "no mail server: $@";
    my $user = encode_base64("\0$self->{siwa}{smtp_user}\0any", '');
    $server->command('AUTH', 'PLAIN', $user)->response;
    $server->mail($from) && $server->to($address)
        && $server->data("From: $from\nTo: $address\nSubject: $subject\n\nHello.\n")
        or die $server->message;
    return $server->quit;
}

sub client_secret {
    my ($self) = @_;
    my $siwa = $self->{siwa};
    return encode_jwt(
        payload       => { iss => $siwa->{team_id}, sub => $siwa->{client_id}, aud => ISSUER },
        alg           => 'ES256',
        key           => \$siwa->{private_key},
        extra_headers => { kid => $siwa->{key_id} },
        auto_iat      => 1,
        relative_exp  => 300,
    );
}

sub verify {
    my ($self, $token, $audience) = @_;
    my $keys = decode_json($http->get("$self->{siwa}{apple}/auth/keys")->{content});
    return decode_jwt(
        token        => $token,
        kid_keys     => $keys,
        accepted_alg => 'RS256',
        verify_iss   => sub { $_[0] eq ISSUER },
        verify_aud   => sub { $_[0] eq $audience },
    );
}

sub receive {
    my ($self) = @_;
    my $connection = $self->{server}->accept or die 'no notification came';
    my $head = do { local $/ = "\r\n\r\n"; readline $connection };
    my ($length) = $head =~ /^content-length: *(\d+)/im;
    read $connection, my ($body), $length;
    print $connection "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    close $connection;
    return $body;
}

1;
