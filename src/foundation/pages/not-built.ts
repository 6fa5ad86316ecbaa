/** Returns the page for a server installed without building a part of its pages. */
export function notBuiltPage(part: string, script: string, more: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse: the ${part} is not built</title>
<h1>The ${part} is not built</h1>
<p>The server runs and its interface works. To build the ${part}, run this in Gatehouse’s folder and load this page again:</p>
<pre>npm ci
npm run ${script}</pre>
<p>${more}</p>
</html>
`
}
