const QUANTITY = /^\+?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Whether the API server takes it as an amount of a resource: `500m`, `2Gi`, `1.5`, 2. Not negative. */
export function isQuantity(amount: unknown): boolean {
  return typeof amount === 'number' ? Number.isFinite(amount) && amount >= 0 : QUANTITY.test(String(amount));
}
