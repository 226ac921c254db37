/** The two routes of claw-eval's answer page: the only ones of the control API that a page in the browser may use. */
export const ANSWER_PAGE_ROUTES: ReadonlySet<string> = new Set(['GET /submit', 'POST /api/task-submit']);

/**
 * The page on which claw-eval's research tasks submit their answer; `http://127.0.0.1:7878/submit` is in the text of those
 * tasks. The request it sends is the terminal request and is blocked, so it thanks the agent whatever happens: an error
 * would make agents try again.
 */
export const ANSWER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Hand in your answer</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
textarea { width: 100%; min-height: 16rem; font: inherit; box-sizing: border-box; }
button { font: inherit; padding: .5rem 1.5rem; margin-top: 1rem; }
</style>
</head>
<body>
<h1>Hand in your answer</h1>
<form id="form">
<label for="answer">Write the complete answer to the task here, then press the button. You can do this once.</label>
<textarea id="answer" name="answer" required></textarea>
<button id="submit" type="submit">Hand in</button>
</form>
<p id="done" role="status" hidden>Thank you, your answer was handed in. Nothing more needs to be done.</p>
<script>
document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = document.getElementById('answer').value;
  document.getElementById('submit').disabled = true;
  try {
    await fetch('/api/task-submit', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ answer }),
    });
  } catch {}
  document.getElementById('done').hidden = false;
});
</script>
</body>
</html>
`;
