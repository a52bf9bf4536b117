/** The rules of the ledger in German, by the id of their check. */
export const germanRules: Readonly<Record<string, string>> = {
  'I-04': 'Eine Bestellung ist nie über ihre Summe bezahlt, und offen ist der Rest.',
  'I-04b': 'Was bezahlt und was erstattet wurde, ist eine Zahl und nicht unter null.',
  'I-05': 'Die Zahlungen einer Bestellung ergeben, was sie als bezahlt nennt.',
  'I-05b': 'Eine Zahlungsnummer, die eine Kasse gab, ist je Bestellung einmal gebucht.',
  'I-05c': 'Eine Zahlung ist über null.',
  'I-10': 'Eine Bestellung gibt nie mehr zurück, als für sie bezahlt wurde, in keiner der beiden Währungen.',
  'O-01': 'Eine Zeile wird nie über das Bestellte hinaus berechnet, geliefert, erstattet oder storniert.',
  'O-02': 'Was eine Zeile als geliefert nennt, ist in ihren Lieferungen.',
  'O-03': 'Jede Nummer für Menschen nennt ein Dokument eines Shops.',
  'S-01': 'Während einer Erstattung ist ihre Bestellung so, dass die Gutschrift gebucht werden kann.',
  'S-02':
    'Eine Erstattung fragte dort, wo bezahlt wurde: Mittel, Vorgang und Währung sind die der Bestellung oder ' +
    'einer Zahlung der Anzahlung.',
  'S-03': 'Es wurde nicht mehr Versand erstattet, als die Bestellung dafür nennt.',
  'S-03b': 'Eine Gutschrift, die entsteht, gibt keinen Teil einer Bestellung zurück, der unter nichts liegt.',
  'S-04': 'Eine Bestellung mit Rechnungen ist nicht weniger wert, als diese nahmen: insgesamt, Ware und Steuer.',
  'S-04b': 'Eine Zeile ist nicht weniger wert, als ihre Rechnungen von ihr nahmen.',
  'S-04c': 'Eine Zeile, deren letztes Stück berechnet ist, ist wert, was ihre Rechnungen nahmen.',
  'S-05': 'Eine bezahlte Bestellung kann erstattet werden: Sie hat Zeilen und ist in beiden Währungen bezahlt.',
  'I-10g': 'Das Geld, das aus einer Bestellung ging, ist nicht mehr, als als Geld hereinkam.',
  'I-10h': 'Alles, was aus einer Bestellung ging, als Geld und als Guthaben, ist nicht mehr, als hereinkam.',
  'I-10i': 'Eine Erstattung, die als Guthaben gegeben wurde, gab nicht auch der Zahlungsdienst zurück.',
  'I-10j': 'Kein Mittel einer Bestellung gibt mehr zurück, als es bezahlte.',
  'I-10k':
    'Was eine Bestellung als ohne Gutschrift zurückgegeben nennt, sagen auch ihre Guthaben und ihre Stornierung.',
  'C-01': 'Ein Warenkorb ist offen, bis er eine Bestellung hat, und danach nie wieder.',
  'C-02': 'Eine Bestellung aus einem Warenkorb hat diesen einen, vom selben Kunden.',
  'C-03': 'Ein Kunde hat einen offenen Warenkorb je Website.',
  'I-04c': 'Eine noch nicht bezahlte Anzahlung nennt als offen, was ihre Bestellung als offen nennt.',
  'I-14':
    'Offenes auf Rechnung ist nicht unter null; mit dem Eingezogenen und dem Gutgeschriebenen ist es, was zuerst ' +
    'offen war.',
  'I-14c': 'Für Ware, die zurückkam, ist nichts auf Rechnung offen.',
  'I-14b': 'Jede Zahlung auf Rechnung ist Geld herein, und die Antwort nennt, was gebucht wurde.',
  'I-17':
    'Eine stornierte Anzahlung ist eine stornierte Bestellung: Keine Rechnung bleibt, nichts wurde danach bezahlt.',
  'I-17b':
    'Eine Stornierung gehört zu einer stornierten Anzahlung, hat eine Gutschrift, wo eine nötig war, und behält ' +
    'und gibt zurück, was bezahlt war.',
  'I-17c':
    'Keine Rechnung brachte einer Anzahlung Geld: Das taten ihre Zahlungen, und die Rechnung war bezahlt, als ' +
    'nichts mehr offen war.',
  'I-17d': 'Keine Ware einer Anzahlung kommt zurück, solange ihre Rechnung offen ist.',
  'W-2':
    'Eine Anzahlung, die noch bezahlt werden kann, hat spätestens zwei Stunden nach der Bestellung einen Workflow.',
  'W-2b': 'Keine Anzahlung, die etwas schuldet, ist zwei Stunden nach ihrem Ablauf noch offen.',
  'N-01': 'Was eine Bestellung als berechnet nennt, ergeben ihre Rechnungen.',
  'N-02': 'Was eine Zeile als berechnet nennt, ergeben ihre Rechnungszeilen.',
  'N-03': 'Eine bezahlte Rechnung wurde bezahlt: Ihre Bestellung nahm nicht weniger ein, als die Rechnungen fordern.',
  'N-04': 'Eine Rechnung geht auf: Ware ohne Rabatt, mit Versand, Steuern und Ausgleich ist ihre Summe.',
  'M-01': 'Was eine Bestellung als erstattet nennt, ergeben ihre Gutschriften.',
  'M-01b':
    'Was zurückgegeben wird, sind ganze Münzen der Währung: Gutschriften, und was Zahlungsdienste gefragt werden.',
  'M-02': 'Jeder Teil des Erstatteten (Ware, Steuer, Versand, Rabatt, Anpassung) ist die Summe über die Gutschriften.',
  'M-03': 'Eine Gutschrift geht auf, außer wenn der Aufrufer sie ausgerechnet hat.',
  'M-04': 'Die Zeilen einer Gutschrift ergeben ihre Ware, außer wenn der Aufrufer sie ausgerechnet hat.',
  'M-05': 'Was eine Zeile als erstattet nennt, ergeben ihre Gutschriftszeilen.',
  'M-06': 'Eine Zeile einer Gutschrift nennt eine Zeile derselben Bestellung.',
  'M-07': 'Die Zahlung einer Bestellung nennt dieselben Erstattungen wie die Bestellung.',
  'M-08': 'Die Nummer einer Erstattung gehört zu einer Gutschrift ihrer Bestellung, und ihr Vorgang ist aufbewahrt.',
  'M-09': 'Ist alle Ware zurück, bleibt vom Bezahlten nur, was als Gebühr behalten wurde.',
  'I-31': 'Jede Gutschrift steht in der Geschichte ihrer Bestellung.',
  'I-07': 'Eine gebuchte Erstattung hat eine Gutschrift, und diese nennt jene Erstattung.',
  'I-07b': 'Eine Gutschrift über den Zahlungsdienst hat eine Erstattung.',
  'I-07c': 'Eine Erstattung und das Guthaben daneben buchten nicht mehr, als ihre Gutschrift zurückgibt.',
  'I-08': 'Eine Rückgabe hat höchstens eine unentschiedene Erstattung; ebenso eine Bestellung ohne Rückgabe.',
  'I-08b': 'Eine Nummer des Zahlungsdienstes ist je Zahlungsart einmal gebucht.',
  'I-08c':
    'Eine Absicht zu erstatten gibt einmal Geld zurück: Unter einem Schlüssel ist höchstens ein Versuch gebucht.',
  'I-10b': 'Gebuchte und laufende Erstattungen sind zusammen nicht mehr, als für die Bestellung bezahlt wurde.',
  'I-10c':
    'Was eine Bestellung laufenden Erstattungen versprach, ist, was die unentschiedenen fordern und als Guthaben ' +
    'geben.',
  'I-10f': 'Eine Bestellung hält die Gutschrift jeder unentschiedenen Erstattung fest und keine andere.',
  'I-12': 'Solange eine Erstattung unentschieden ist, hat ihre Rückgabe keine Gutschrift und ist nicht geschlossen.',
  'I-31b': 'Eine Erstattung, die eine Person entschied, nennt sie, mit ihrer Notiz.',
  'I-06': 'Ein Verkauf der Kasse hat höchstens eine Rückgabe.',
  'R-04': 'Das zurückgegebene Guthaben und was auf das erste Mittel ging, ergeben die Erstattung der Rückgabe.',
  'R-05': 'Eine ausgezahlte Rückgabe nennt die Summe ihrer Gutschrift.',
  'I-18': 'Von einer Zeile kommt nicht mehr zurück, als bestellt war, alle Rückgaben zusammen.',
  'I-18b': 'Eine Rückgabe verlangte nie Ware, die eine Gutschrift ohne Rückgabe schon zurückgab.',
  'I-18c': 'Eine Zeile einer Rückgabe nennt eine Zeile der Bestellung, um die es geht.',
  'I-19':
    'Zurückgegebene Ware wird je Zeile und Art einmal bewegt, und es geht nur hinaus, was hereinkam, von dort, ' +
    'wohin es ging.',
  'I-19d':
    'Eine Warenbewegung einer Retoure nennt das Lager, dessen Bestand sie änderte, nimmt nicht mehr auf als gezählt ' +
    'wurde, und ein Abschluss gibt nicht mehr heraus als hereinkam.',
  'I-19c':
    'Eine ohne Erstattung geschlossene Rückgabe gab jede Zeile wieder her, die sie annahm, und keine andere tat das.',
  'R-01':
    'Eine Rückgabe mit Gutschrift ist vorbei, die Gutschrift ist von ihrer Bestellung und von keiner anderen Rückgabe.',
  'R-02': 'Eine Rückgabe, die auf ihr Geld wartet, sagt, wie es zurückgeht.',
  'R-03': 'Jede Zeile einer geklärten Rückgabe hat eine Lösung, und eine ohne Geld nennt keinen Weg für Geld.',
  'I-31c': 'Eine Rückgabe, die endete oder deren Erstattung abgesagt wurde, steht im Protokoll.',
  'P-01':
    'Eine Rückgabe in einem Aufruf, die fertig ist, hat allein eine Gutschrift ihrer Bestellung, und ihre ' +
    'Rückgabe dieselbe.',
  'P-02': 'Guthaben aus einer Rückgabe in einem Aufruf steht einmal in den Büchern, auf den Cent.',
  'P-03': 'Ein Lauf, der nicht durchging, sagt warum, und die Geschichte der Bestellung auch.',
  'U-01':
    'Keine zwei Artikel haben SKUs, die sich nur in Groß- und Kleinschreibung oder in der Zusammensetzung der ' +
    'Zeichen unterscheiden.',
  'U-01b': 'Ein Kunde hat ab einer Menge einen vereinbarten Preis, wie auch immer die SKU geschrieben ist.',
  'U-02': 'Der erste und der letzte Tag eines Sonderpreises sind lesbar.',
  'I-19b': 'Kein Lager hat eine Menge unter null.',
  'Q-01': 'Eine fertige Bestellung, von der nichts mehr auszuhändigen ist, verspricht keine Ware.',
  'Q-02': 'Eine Bestellung gibt nie mehr Ware zurück, als für sie vorgemerkt war.',
  'I-01': 'Ein geparkter Korb ist einmal da, und ein abgeholter nennt Person und Zeit.',
  'I-03': 'Ein abgeholter Korb wurde danach nicht wieder geparkt, außer von dem, der ihn hatte.',
  'I-20': 'Ein Verkauf der Kasse hat höchstens einen Beleg.',
  'I-20b': 'Der Beleg eines Verkaufs trägt die Nummer einer Bestellung dieses Verkaufs, sobald es eine gibt.',
  'I-20c': 'Ein Verkauf der Kasse ist höchstens eine Bestellung.',
  'I-20d': 'Ein Verkauf, dessen Beleg vor einer Woche kam, ist eine Bestellung.',
  'I-21': 'Ein übernommener Beleg und seine Bestellung gehören demselben Kunden.',
  'I-26': 'Ein Gerät ist eine Kasse, und ein unbenutzter Code schaltet eine frei.',
  'I-29': 'Die Summen eines vergangenen Tages der Messwerte sind die ihrer Ereignisse.',
  'V-01': 'Der Hash jedes Kassenberichts ist der seines Dokuments.',
  'V-02': 'Kassenberichte einer Sitzung und Nummer sind markiert, wo es mehrere gibt, und nur dort.',
  'T-01': 'Was von pos_audit_log gezählt ist, in jeder Größe, ist, was es bis zum letzten gezählten Schlüssel gibt.',
  'T-02': 'Was von pos_receipt gezählt ist, in jeder Größe, ist, was es bis zum letzten gezählten Schlüssel gibt.',
  'T-03': 'Was von jeder Liste gezählt ist, je Kombination der Werte, ist, was es gibt.',
  'I-07d':
    'Die Zahlungsteile einer abgerechneten Rückgabe ergeben ihre Auszahlung; ein Teil über einen Zahlungsdienst hat ' +
    'einen gebuchten Versuch über seinen Betrag.',
  'I-07e':
    'Ein Zahlungsteil, der vor seiner Gutschrift zurückging, hat einen Versuch, der das belegt, oder eine Referenz.',
  'D-01':
    'Die Kassenabschlüsse einer Kassenlade sind ab 1 lückenlos nummeriert; jeder enthält die Prüfsumme seines Inhalts ' +
    'und die des vorigen.',
  'D-02': 'Was ein Kassenabschluss je Zahlungsart zeigt, hat seine Sitzung bewegt, verspätete Bewegungen ausgenommen.',
  'D-03':
    'Eine Bewegung, die eine Sitzung ihres Ladens nennt, gehört zu ihr; eine abgeschlossene Sitzung hat ihren Abschluss.',
  'T-04': 'Jeder Beleg, der Geld oder Guthaben bewegt, hat eine Bewegung mit seinem Betrag und zu seiner Zeit.',
  'T-05':
    'Was die Kassen für einen Auftrag eingenommen haben, ist seine Summe ohne Guthaben und offene Beträge: für jeden ' +
    'Auftrag mit einem Beleg über seine Summe, dessen Teilzahlungen, falls mehrere, diesen Betrag ergeben.',
  'I-22': 'Kein Guthaben ist unter null.',
  'I-23': 'Ein Guthaben ist, was seine Einträge ergeben.',
  'I-23b': 'Jeder Eintrag eines Guthabens nennt den Stand danach.',
  'I-24': 'Ein Schlüssel für Wiederholungen gilt je Guthaben und Art für einen Eintrag.',
  'L-01': 'Das Guthaben, das eine Bestellung bezahlte, steht unter ihren Zahlungen, auf den Cent.',
  'L-02': 'Kein Guthaben kommt über das Ausgegebene zurück, laufende Erstattungen mitgezählt.',
  'L-03': 'Was ein Guthaben als zurück nennt, ergeben seine Teile.',
  'L-04': 'Eine Gutschrift gibt nicht mehr als Guthaben zurück, als sie wert ist, und nur das der eigenen Bestellung.',
  'L-05': 'Das laufenden Erstattungen versprochene Guthaben ist, was deren Pläne zurückgeben.',
  'L-06': 'Guthaben wurde für eine Bestellung genommen und zurückgegeben, wie die Bestellung es sagt.',
  'L-07': 'Guthaben, das draußen liegt und zu einer Bestellung gehört, wurde dort für sie ausgegeben, und umgekehrt.',
  'L-08': 'Draußen ausgegebenes Guthaben für eine Bestellung, die nie kam, wird binnen einer Stunde zurückgegeben.',
  'I-14d':
    'Was offen ist, kann noch eingezogen werden: Vor der Zahlung zurückgekommene Ware und stornierte Stücke sind nicht ' +
    'mehr geschuldet, alles andere ist es.',
  'L-09': 'Guthaben, das eine Erstattung zugesagt hat, ist binnen einer Stunde gebucht.',
  'L-10': 'Die Liste der zugesagten Guthaben ist, was Gutschriften zusagten und noch nicht gebucht ist.',
  'K-01': 'Keine Geschenkkarte ist unter null.',
  'K-02': 'Der Stand einer Geschenkkarte ist, was ihre Einträge ergeben.',
  'K-03': 'Jeder Eintrag einer Geschenkkarte nennt den Stand danach.',
  'K-04': 'Geld einer Erstattung kam auf eine Geschenkkarte, die weder abgelaufen noch gesperrt war.',
  'B-01': 'Kein Punktekonto ist unter null.',
  'B-02': 'Der Stand eines Punktekontos ist, was seine Einträge ergeben.',
  'B-03': 'Jeder Eintrag eines Punktekontos nennt den Stand danach.',
  'I-13':
    'Was von einer Bestellung als Guthaben zurückkam, ist höchstens, was ihre Gutschriften erstatteten, ' +
    'Vorgemerktes mitgezählt.',
  'I-13d':
    'Was als Guthaben gegeben wurde und was ein Mittel zurückgab, ist zusammen nicht mehr, als die Gutschriften ' +
    'hergaben.',
  'I-13b': 'Eine Erstattung als Guthaben ist binnen zehn Minuten entschieden.',
  'I-13c': 'Eine auf eigene Karten oder Punkte gebuchte Erstattung steht in deren Buch.',
  'B-04': 'Eine Bestellung verdient Punkte einmal, und es verfallen nicht mehr, als sie verdiente.',
  'B-06': 'Punkte schuldet nur ein Konto ohne Punkte, und keine Bestellung schuldet mehr, als sie verdiente.',
  'B-05': 'Die Punkte einer bezahlten Bestellung sind binnen zehn Minuten berechnet.',
  'I-30': 'Keine Erstattung bleibt begonnen liegen: Zwei Minuten nach ihrer Frist ist sie entschieden oder im Zweifel.',
  'I-30b': 'Eine Rückgabe mit einer Verkaufsnummer ist binnen zwei Minuten fertig, oder ein Satz sagt, warum nicht.',
  'I-30d':
    'Eine Rückgabe in einem Aufruf ist binnen zwei Minuten vorbei, außer wenn das Ende ihrer Erstattung noch ' +
    'nicht bekannt ist.',
  'I-30c': 'Keine Transaktion bleibt länger als eine halbe Minute offen.',
  'I-09': 'Der Zahlungsdienst wurde je Erstattung einmal gerufen, nicht öfter.',
  'I-09b': 'Der Zahlungsdienst gab je Absicht zu erstatten einmal Geld zurück.',
  'I-10d': 'Der Zahlungsdienst gab von einer Zahlung nicht mehr zurück, als eingezogen war.',
  'I-10e': 'Der Zahlungsdienst gab für eine Bestellung nicht mehr zurück, als in Geld bezahlt war.',
  'I-11':
    'Was für eine Bestellung als erstattet gebucht ist, gab der Zahlungsdienst zurück, sobald nichts mehr ' +
    'unentschieden ist.',
  'I-11b': 'Der Zahlungsdienst gab nichts zurück, worum er nicht gebeten war.',
  'E-01':
    'Jede Bestellung wurde einmal als aufgegeben gemeldet, als storniert, wo sie es ist, und als bezahlt, wo ' +
    'nichts offen ist.',
  'E-02': 'Jede Gutschrift wurde einmal als Erstattung ihrer Bestellung gemeldet.',
  'E-03':
    'Was von einer Bestellung gemeldet wurde, ist so: Sie ist da, storniert, wo das gemeldet ist, und hat die ' +
    'Gutschrift jeder Erstattung.',
  'E-04': 'Eine Erstattung im Zweifel wurde gemeldet, und was als entschieden gemeldet ist, ist entschieden.',
  'E-05':
    'Jede Rückgabe wurde einmal als angelegt gemeldet, und als ausgezahlt und beendet, wo sie es ist, sonst keine.',
  'E-06': 'Von jedem Gegenstand ist eine wartende Zustellung die nächste, die erste von ihnen.',
  'E-07': 'Jede Anzahlung wurde als eröffnet gemeldet, und als storniert, wo sie es ist.',
  'E-08': 'Jede Bewegung von Guthaben wurde einmal gemeldet, mit dem, was blieb.',
  'E-10':
    'Die Änderungen des Bestands eines Artikels in einem Lager gehen auf: Jede beginnt mit dem, was die vorige ließ.',
  'E-09': 'Was zuletzt von einem Regal gemeldet wurde, liegt darin.',
  'G-01': 'Jede Wache der Datenbank steht.',
};
