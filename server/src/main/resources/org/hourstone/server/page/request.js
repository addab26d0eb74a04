// Requests to the server's own API, whose errors are messages for people.

/** What the server, or the way to it, says about a failed request. */
export class RequestError extends Error {
  constructor(status, message, details) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/**
 * The address of a path, without the name and password by which the page may have been opened: what is relative to
 * those may not be fetched.
 */
export function full(path) {
  return new URL(path, location.origin + location.pathname).href;
}

/** The path and query string of a request. */
export function uri(path, parameters = []) {
  const query = parameters.map(([name, value]) =>
    value === '' ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/**
 * The JSON at a path.
 *
 * @param parameters pairs of names and values
 * @param signal ends the request, and with it the query on the server
 * @throws RequestError
 */
export async function get(path, parameters = [], signal = undefined) {
  return (await getText(path, parameters, signal)).json;
}

/** The JSON at a path, and its `text`; as {@link get}. */
export async function getText(path, parameters, signal) {
  return read(await send(uri(path, parameters), { signal }));
}

/** The JSON that is the answer to a body of JSON, and its `text`; as {@link get}. */
export async function postText(path, body, signal) {
  return read(await send(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal,
  }));
}

async function read(response) {
  try {
    const text = await response.text();
    return { text, json: JSON.parse(text) };
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new RequestError(response.status, 'The response was cut off.', 'The server’s log has the reason.');
  }
}

/** Deletes what a path names. */
export async function remove(path) {
  await send(path, { method: 'DELETE' });
}

async function send(address, options) {
  let response;
  try {
    response = await fetch(full(address), options);
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new RequestError(0, 'The server can’t be reached.', '');
  }
  if (!response.ok) throw await failure(response);
  return response;
}

async function failure(response) {
  let error = {};
  try {
    error = (await response.json()).error ?? {};
  } catch {
    // not from the API, such as a proxy's
  }
  const message = error.message || `${response.status} ${response.statusText}`.trim();
  return new RequestError(response.status, message, error.details === message ? '' : error.details ?? '');
}
