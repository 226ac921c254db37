/** `/style.css`: colours by role, light or dark by the user's preference. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #fff; --text: #1c2430; --dim: #667085; --line: #dfe3ea; --accent: #2457c5; --code: #f1f3f7;
  --good: #12733f; --good-ground: #dcf3e5; --bad: #a81e2c; --bad-ground: #fbe3e5; --wait: #8a5a00; --wait-ground: #fdf0d2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --card: #1d2128; --text: #e6e9ef; --dim: #98a2b3; --line: #323843; --accent: #8fb4ff; --code: #262b34;
    --good: #7fdba8; --good-ground: #173a28; --bad: #ff9aa5; --bad-ground: #46191f; --wait: #f5c860; --wait-ground: #433207;
  }
}
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.5 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
main { max-width: 1500px; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.top { display: flex; gap: 1rem; padding: .6rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h1 .badge { font-size: .9rem; vertical-align: middle; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
section { margin: 0 0 1.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem; }
.card h2:not(:first-child) { margin-top: 1rem; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-bottom: 1rem; }
.two > section { margin: 0; min-width: 0; }
.dim, .note { color: var(--dim); }
.note { font-size: .9em; margin: .4rem 0; }
.badge { max-width: 100%; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.badge { display: inline-block; padding: 0 .5em; border-radius: 4px; font-size: .92em; font-weight: 600; white-space: nowrap; background: var(--code); color: var(--dim); }
.badge.good { color: var(--good); background: var(--good-ground); }
.badge.bad { color: var(--bad); background: var(--bad-ground); }
.badge.wait { color: var(--wait); background: var(--wait-ground); }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; color: var(--dim); white-space: nowrap; overflow-wrap: normal; }
th.number, td.badge { max-width: 100%; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.number { text-align: right; white-space: nowrap; }
.runs tbody tr:hover { background: var(--code); }
.runs td:nth-child(n + 2) { white-space: nowrap; }
.runs td:first-child { min-width: 13rem; }
.runs td:nth-child(n + 5) { max-width: 13rem; }
.runs td:nth-child(4) { max-width: 20rem; overflow: hidden; text-overflow: ellipsis; }
.runs td:nth-child(2), .runs td:nth-child(3) { max-width: 10rem; overflow: hidden; text-overflow: ellipsis; }
.runs td .badge { min-width: 4.2rem; text-align: center; }
.filter { display: flex; gap: 1rem; align-items: center; margin: .3rem 0 1rem; }
.filter label { text-transform: capitalize; }
select, button { font: inherit; color: inherit; }
select { padding: .15rem .3rem; max-width: 20rem; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 2rem; margin: 0 0 .6rem; padding: 0; }
.instruction { font-size: 1.05rem; white-space: pre-wrap; overflow-wrap: anywhere; margin-top: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
.verdicts { border: 0; }
.verdicts th, .verdicts td { border: 0; padding: .15rem .8rem .15rem 0; }
pre { margin: .3rem 0; padding: .6rem .8rem; background: var(--code); border-radius: 6px; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code { font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
details { margin: .3rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.request-line { margin: 0; font-size: 1.05em; overflow-wrap: anywhere; }
.method { font-weight: 700; }
.strip { display: block; width: 100%; height: 44px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.strip rect[data-at] { cursor: pointer; }
.action { fill: #3b73e6; background: #3b73e6; }
.sent { fill: #8a94a6; background: #8a94a6; }
.caught { fill: #d12f3f; background: #d12f3f; }
.zero { fill: #1f9d5c; background: #1f9d5c; }
#now { fill: var(--text); }
.legend { display: flex; justify-content: space-between; color: var(--dim); font-size: .9em; margin: .2rem 0 .8rem; }
.legend i { display: inline-block; width: .6em; height: .6em; margin: 0 .3em 0 .9em; border-radius: 2px; }
.stage { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem; align-items: start; }
.screens { position: sticky; top: .5rem; }
.screens p { margin: .2rem 0 .6rem; font-size: .9em; }
video, #shot { display: block; width: 100%; background: #000; border: 1px solid var(--line); border-radius: 6px; }
#shot { background: #fff; }
#shot[hidden] { display: none; }
figure { margin: 0; }
#shot { max-height: 30rem; object-fit: contain; object-position: top; }
figcaption { font-size: .9em; margin-top: .2rem; overflow-wrap: anywhere; }
.steps { list-style: none; margin: 0; padding: 0; max-height: 46rem; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.step { display: flex; gap: .7rem; width: 100%; text-align: left; padding: .4rem .7rem; background: none; border: 0; border-bottom: 1px solid var(--line); border-left: 3px solid transparent; cursor: pointer; }
.step:hover { background: var(--code); }
.step.chosen { background: var(--code); border-left-color: var(--accent); }
.step.playing { border-left-color: var(--good); }
.when { flex: 0 0 4.6rem; color: var(--dim); font-variant-numeric: tabular-nums; white-space: nowrap; }
.what { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.what .url { display: block; color: var(--dim); font-size: .88em; }
.thumb { flex: 0 0 auto; width: 112px; height: 63px; object-fit: cover; object-position: top; border: 1px solid var(--line); border-radius: 4px; background: #fff; }
.requests { table-layout: fixed; }
.requests th:nth-child(1) { width: 6rem; }
.requests th:nth-child(2) { width: 5rem; }
.requests th:nth-child(3) { width: 7rem; }
.requests details { margin: 0; }
.messages { margin: 0; padding: 0; list-style: none; }
.messages li { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; margin-bottom: .4rem; }
.messages p { margin: 0; }
.files { columns: 2; list-style: none; margin: 0; padding: 0; }
.ok { color: var(--good); font-weight: 600; }
.broken { color: var(--bad); font-weight: 600; }
@media (max-width: 900px) { .two, .stage { grid-template-columns: 1fr; } .screens { position: static; } .files { columns: 1; } }
`;

/** `/icon.svg`: the icon of the tab. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#2457c5"/><path d="M6 4.5v7l6-3.5z" fill="#fff"/></svg>
`;
