#!/usr/bin/perl
# A person's whole way through an app: sign in, get mail, stop using it.

use v5.32;
use warnings;

use FindBin;
use HTTP::Tiny;
use JSON::PP;
use lib $FindBin::Bin;
use App;
use Siwa;
use Test::More;

my $app  = App->new;
my $siwa = Siwa->new(return_url => $app->url . '/callback', notification_url => $app->url . '/notifications');
$app->{siwa} = $siwa;

subtest 'a person signs in, gets mail and leaves' => sub {
    $siwa->decide('continue', email => 'hide');
    my $user = $app->redeem($siwa->answer->{code});
    like $user->{email}, qr/\@privaterelay\.appleid\.com$/;

    $app->write_mail($user->{email}, 'Welcome');
    is_deeply [map { $_->{subject} } $siwa->mail], ['Welcome'];

    $siwa->stop_using;
    my $event = $app->next_notification;
    is_deeply [@$event{qw(type sub)}], ['consent-revoked', $user->{sub}];
};

subtest 'a person cancels' => sub {
    $siwa->decide('cancel');
    is $siwa->answer->{error}, 'user_cancelled_authorize';
};

subtest 'other tests at the same emulator see none of this' => sub {
    $siwa->post('/signing-keys/rotate', keep_old => JSON::PP::false);
    $siwa->post('/faults', endpoint => 'keys', status => 503);
    my ($http, $url) = (HTTP::Tiny->new, "$siwa->{apple}/auth/keys");
    is $http->get($url)->{status}, 503;
    my $published = decode_json($http->get($url)->{content})->{keys};
    is_deeply [map { $_->{kid} } @$published], $siwa->get('/state')->{signing_keys};

    $app->write_mail('maya@example.com', $siwa->{client_id});
    my $mail = $siwa->get('/mail?person=maya@example.com')->{messages};
    is_deeply [map { $_->{subject} } @$mail], [$siwa->{client_id}];

    $siwa->decide('cancel');
    is $siwa->answer->{error}, 'user_cancelled_authorize';
};

done_testing;
