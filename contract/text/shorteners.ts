/**
 * Generic URL shorteners: hosts under which anybody can hide any address, which is why carriers filter them.
 * An organization's own short domain isn't one of them, nor are hosts that only shorten their owner's
 * addresses (youtu.be, amzn.to). Add a host here when carriers begin to refuse it; small letters, without
 * www.
 */
export const shortenerHosts: ReadonlySet<string> = new Set(
  (
    '1url.com 2.gp 9qr.de adf.ly b.link bc.vc bit.do bit.ly bitly.com bitly.ws bl.ink budurl.com buff.ly cbsn.ws ' +
    'chilp.it clck.ru clicky.me clk.im cli.gs cutt.ly cutt.us da.gd db.tt dlvr.it dub.co dub.sh dwz.cn filoops.info ' +
    'fur.ly gg.gg git.io goo.gl goo.su gslink.co hyperurl.co ift.tt is.gd j.mp kutt.it l.linklyhq.com linklyhq.com ' +
    'lnk.to lnkd.in lnkiy.in mcaf.ee mz.cm n9.cl o-x.fr ouo.io ow.ly owl.ly po.st prettylinkpro.com q.gs qr.ae qr.net ' +
    'qrco.de rb.gy rebrand.ly reurl.cc s.coop s.id scrnch.me short.cm short.gy short.io shorte.st shorturl.asia ' +
    'shorturl.at shorturl.gg shrinke.me shrtco.de snip.ly snipurl.com snurl.com soo.gd su.pr surl.li t.co t.ly t2m.io ' +
    'tiny.cc tiny.ie tiny.one tiny.pl tinylink.in tinyurl.com tinyurl.is tr.im trib.al tweez.me u.nu u.to urls.fr ' +
    'urlz.fr urlzs.com v.gd v.ht vzturl.com wp.me x.co x.gd xurl.es y2u.be yourls.org zee.gl zip.net zpr.io zws.im'
  ).split(' '),
);

/**
 * Ours: those among them that are treated as blocked, whatever the text says. The best-known public ones with their other
 * hosts; those that show advertisements or a waiting page before the address, which is what phishing hides behind; and
 * goo.gl, which leads nowhere any more. Our choice, not compared with any carrier's own list.
 */
export const blockedShortenerHosts: ReadonlySet<string> = new Set(
  (
    'adf.ly bc.vc bit.do bit.ly bitly.com bitly.ws cutt.ly cutt.us gg.gg goo.gl is.gd j.mp ouo.io q.gs rb.gy ' +
    'shorte.st shorturl.at shrinke.me soo.gd t.ly tiny.cc tiny.one tinyurl.com tinyurl.is v.gd'
  ).split(' '),
);
