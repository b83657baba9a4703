#!/usr/bin/perl
# A person's whole way through an app: sign in, get mail, stop using it.

use v5.32;
use warnings;

use FindBin;
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

done_testing;
