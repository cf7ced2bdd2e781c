// Draws what pymdownx.arithmatex marked.
renderMathInElement(document.body, {
  delimiters: [
    {left: '\\[', right: '\\]', display: true},
    {left: '\\(', right: '\\)', display: false},
  ],
});
