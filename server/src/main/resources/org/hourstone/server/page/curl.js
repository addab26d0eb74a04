// A request as a command for a shell.

/** The command that sends a GET request with parameters. */
export function curl(address, parameters) {
  const lines = parameters.map(([name, value]) =>
    `--data-urlencode ${quoted(value === '' ? name : `${name}=${value}`)}`);
  return [`curl -G ${quoted(address)}`, ...lines].join(' \\\n  ');
}

/** The command that posts JSON. */
export function curlPost(address, body) {
  return [`curl ${quoted(address)}`, "-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]
    .join(' \\\n  ');
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
