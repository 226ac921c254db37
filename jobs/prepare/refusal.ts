/**
 * The batch cannot run as it is. `reason` and the message become those of `Accepted=False`; the message names the field and
 * says what to change. No refusal is final: `prepare` is retried, because GitOps tools apply objects in any order.
 */
export class BatchRefusal extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.name = 'BatchRefusal';
    this.reason = reason;
  }
}
