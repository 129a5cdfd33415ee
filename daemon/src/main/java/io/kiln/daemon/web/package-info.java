/// What a daemon shows of itself over HTTP.
package io.kiln.daemon.web;
