package Siwa;

# siwa 0.1.0
# Starts or finds the emulator of Sign in with Apple: copy this file beside your tests.
# It is an emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has.

use v5.32;
use warnings;

use HTTP::Tiny;
use JSON::PP;

my $http = HTTP::Tiny->new(timeout => 20);
my ($emulator, $output, $addresses);

sub new {
    my ($class, %urls) = @_;
    $addresses //= find_addresses();
    my $name = sprintf '%08x', int rand 2**32;
    my $self = bless {
        smtp_user => 'tests', %$addresses, %urls,
        team_id     => 'TE' . uc $name,
        app_id      => "com.example.$name",
        client_id   => "com.example.$name.web",
        mail_domain => "$name.example.com",
        person      => "maya-$name\@example.com",
    }, $class;
    $self->register;
    return $self;
}

# Where the emulator is: at SIWA_CONTROL_URL, or started for these tests.
sub find_addresses {
    if (my $control = $ENV{SIWA_CONTROL_URL}) {
        # Others may use it too: these tests have a world of their own there.
        my $found = decode_json($http->post("$control/worlds", { content => '{}' })->{content});
        my $apple = $ENV{SIWA_APPLE_URL};
        return {
            apple     => $apple ? $apple . $found->{path} : $found->{apple_url},
            control   => $control . $found->{path},
            smtp      => $ENV{SIWA_SMTP} // $found->{smtp},
            smtp_user => $found->{smtp_user},
            world     => "$control/worlds/$found->{world}",
        };
    }
    my @ports = qw(--port 0 --control-port 0 --smtp-port 0);
    $emulator = open $output, '-|', $ENV{SIWA_BINARY} // 'siwa', 'emulator', '--json', @ports
        or die "siwa does not start: $!";
    return decode_json(scalar readline $output);
}

END {
    kill 'TERM', $emulator if $emulator;
    my $world = $addresses && $addresses->{world};
    $http->delete($world) if $world && !$ENV{SIWA_KEEP_WORLDS};
}

sub register {
    my ($self) = @_;
    my %team = (team_id => $self->{team_id});
    $self->post('/teams', %team);
    my $key = $self->post('/keys', %team);
    @$self{qw(key_id private_key)} = @$key{qw(key_id private_key_pem)};
    $self->post('/apps', %team, client_id => $self->{app_id}, notification_url => $self->{notification_url});
    $self->post(
        '/services',
        client_id         => $self->{client_id},
        primary_client_id => $self->{app_id},
        return_urls       => [$self->{return_url}],
    );
    $self->post('/mail-sources', %team, domain => $self->{mail_domain});
    $self->post('/people', email => $self->{person}, given_name => 'Maya');
    return;
}

# Decides what the app's next request to sign in comes to: 'continue' or 'cancel'.
sub decide {
    my ($self, $decision, %choice) = @_;
    my %who = (person => $self->{person}, client_id => $self->{client_id});
    return $self->post('/authorizations/next', %who, decision => $decision, %choice);
}

# The address to which your server sends a browser.
sub authorize_url {
    my ($self) = @_;
    return "$self->{apple}/auth/authorize?" . $http->www_form_urlencode({
        client_id     => $self->{client_id},
        redirect_uri  => $self->{return_url},
        response_type => 'code id_token',
        response_mode => 'form_post',
        scope         => 'name email',
        state         => 'state-1',
        nonce         => 'nonce-1',
    });
}

# What a browser posts to your server after a decision that was made ahead.
sub answer {
    my ($self) = @_;
    my $page = $http->get($self->authorize_url)->{content};
    my %fields = $page =~ /<input type="hidden" name="([^"]*)" value="([^"]*)"/g;
    s/&quot;/"/g, s/&#39;/'/g, s/&amp;/&/g for values %fields;
    return \%fields;
}

# The person stops using the app, as in the settings of the Apple Account.
sub stop_using {
    my ($self) = @_;
    return $self->post("/people/$self->{person}/stop-using", client_id => $self->{app_id});
}

# The messages in the person's inbox.
sub mail {
    my ($self) = @_;
    return @{ $self->get("/mail?person=$self->{person}")->{messages} };
}

# Reads something at the control port.
sub get {
    my ($self, $path) = @_;
    return $self->_call(GET => $path, {});
}

# Changes something at the control port.
sub post {
    my ($self, $path, %fields) = @_;
    return $self->_call(POST => $path, { content => encode_json(\%fields) });
}

sub _call {
    my ($self, $method, $path, $options) = @_;
    my $response = $http->request($method, $self->{control} . $path, $options);
    # The problem details name the field that is wrong.
    die "$method $path: $response->{content}" unless $response->{success};
    return length $response->{content} ? decode_json($response->{content}) : undef;
}

1;
