/** The page for a server installed without the tools to build the console. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse: the console is not built</title>
<h1>The console is not built</h1>
<p>The server runs and its interface works. To build the console, run this in Gatehouse’s folder and load this page again:</p>
<pre>npm ci
npm run build:console</pre>
<p><a href="/docs">API documentation</a></p>
</html>
`
