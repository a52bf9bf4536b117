/** The servers outlive the tests of one mistake. */
export default function nothing(): void {
  return;
}
