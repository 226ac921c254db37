/** Long steps say what they do and, when they end, how long it took. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  const seconds = (): string => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  console.error(`• ${name} …`);
  const ticker = setInterval(() => console.error(`  ${name}: still at it after ${seconds()}`), 30_000);
  try {
    const result = await work();
    console.error(`  ${name}: ${seconds()}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}
