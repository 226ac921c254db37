/**
 * The batch cannot run as it is. `reason` becomes the reason of `Accepted=False`, the message its sentence: it names the
 * field and says what to change. Nothing is final: `prepare` is tried again, since GitOps applies in any order.
 */
export class BatchRefusal extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.reason = reason;
  }
}
