/** Loaded before everything else: a process whose own clock is so many days ahead, behind where it is negative. */
const ahead = Number(process.env['CLOCK_AHEAD_DAYS'] ?? 0) * 86_400_000;
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
