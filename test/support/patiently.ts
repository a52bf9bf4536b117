/** As a register does: what is answered 503 on a busy machine is sent again, the same request. */
export async function patiently<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let times = 0; answer.status === 503 && times < 60; times++) answer = await ask();
  return answer;
}
