package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// errRecorderLost is returned if the recorder did not respond for longer than settings.recorderLost.
var errRecorderLost = errors.New("recorder unreachable")

type control struct {
	url    string
	lost   time.Duration
	client *http.Client
}

type reply struct {
	status int
	body   []byte
}

func newControl(s settings) *control {
	// No proxy from the environment, since this is loopback, and a harness image may set HTTP_PROXY for its own use.
	transport := &http.Transport{Proxy: nil, DisableKeepAlives: true}
	return &control{url: s.controlURL, lost: s.recorderLost, client: &http.Client{Transport: transport}}
}

func (c *control) once(method, path string, body any) (reply, error) {
	var payload io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		payload = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.url+path, payload)
	if err != nil {
		return reply{}, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	return reply{response.StatusCode, text}, err
}

// call repeats the request until there is a response. All routes of the recorder are idempotent, so a lost response is
// harmless.
func (c *control) call(method, path string, body any) (reply, error) {
	silentSince := time.Now()
	for {
		asked := time.Now()
		answer, err := c.once(method, path, body)
		if err == nil && answer.status < 500 {
			return answer, nil
		}
		if err == nil && path == "/api/armed" {
			return answer, nil
		}
		// An interrupted long poll is not silence, since the recorder was connected until now.
		if time.Since(asked) > time.Second {
			silentSince = time.Now()
		}
		if time.Since(silentSince) > c.lost {
			return reply{}, errRecorderLost
		}
		time.Sleep(100 * time.Millisecond)
	}
}
