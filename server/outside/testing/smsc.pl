#!/usr/bin/perl
# A short message service center made of Debian's libnet-smpp-perl: takes texts, answers with ids, sends a receipt and a
# text of a telephone for each. It answers when nothing more comes, so that a window fills, and closes without an answer
# when a text says so. Prints what it read of each text as a line of hexadecimal digits.
use strict;
use warnings;
use Net::SMPP;
use IO::Handle;
use IO::Select;
STDOUT->autoflush(1);

my $listener = Net::SMPP->new_listen('127.0.0.1', port => $ARGV[0], smpp_version => 0x34) or die "can't listen: $!";
print "ready\n";
my $id = 0;
while (my $smpp = $listener->accept) {
  my $more = IO::Select->new($smpp);
  my @waiting;
  while (1) {
    answer($smpp, \@waiting) if @waiting && !$more->can_read(0.05);
    my $pdu = $smpp->read_pdu() or last;
    my $cmd = $pdu->{cmd};
    if ($cmd == Net::SMPP::CMD_bind_transceiver) {
      print "bind $pdu->{system_id} $pdu->{password}\n";
      $smpp->bind_transceiver_resp(seq => $pdu->{seq}, system_id => 'perl', status => 0);
    } elsif ($cmd == Net::SMPP::CMD_submit_sm) {
      print join(' ', 'submit', $pdu->{source_addr}, $pdu->{destination_addr}, $pdu->{esm_class}, $pdu->{data_coding},
        $pdu->{registered_delivery}, unpack('H*', $pdu->{short_message})), "\n";
      push @waiting, $pdu;
      last if $pdu->{short_message} eq 'close';
    } elsif ($cmd == Net::SMPP::CMD_enquire_link) {
      $smpp->enquire_link_resp(seq => $pdu->{seq});
    } elsif ($cmd == Net::SMPP::CMD_deliver_sm_resp) {
      print "answered $pdu->{seq} $pdu->{status}\n";
    } elsif ($cmd == Net::SMPP::CMD_unbind) {
      $smpp->unbind_resp(seq => $pdu->{seq});
      last;
    }
  }
  close($smpp);
}

sub answer {
  my ($smpp, $waiting) = @_;
  print 'window ', scalar(@$waiting), "\n";
  for my $pdu (splice @$waiting) {
    $id++;
    my $name = sprintf('%08X', 0xABC0 + $id);
    $smpp->submit_sm_resp(seq => $pdu->{seq}, message_id => $name, status => 0);
    $smpp->deliver_sm(async => 1, seq => 1000 + $id, source_addr_ton => 1, source_addr_npi => 1,
      source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr}, esm_class => 4,
      short_message => "id:" . hex($name) . " sub:001 dlvrd:001 submit date:2611180600 done date:2611180601 stat:DELIVRD err:000 text:Hi");
    $smpp->deliver_sm(async => 1, seq => 2000 + $id, source_addr_ton => 2, source_addr_npi => 1, source_addr => '6155553344',
      destination_addr => $pdu->{source_addr}, esm_class => 0, data_coding => 0, short_message => "Thanks $id \x1b\x65") if $id == 1;
  }
}
