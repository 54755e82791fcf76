-- Drives Neovim's built-in client through one session: a finding, a hover, a fix; inlay hints from 0.10 on.
-- Runs on 0.7 and later.
-- It makes no claim about what the finding says; the server's own tests do.
local arguments = vim.fn.json_decode(os.getenv('GRAPHWRIGHT_TEST'))
local function say(text) io.stdout:write(text .. '\n') end

local ok, problem = xpcall(function()
  local function wait(what, condition, milliseconds)
    if not vim.wait(milliseconds or 20000, condition, 20) then error('timeout: ' .. what) end
  end
  vim.cmd('filetype plugin on')
  vim.cmd('edit ' .. vim.fn.fnameescape(arguments.file))
  local buffer = vim.api.nvim_get_current_buf()
  assert(vim.bo[buffer].filetype == 'python')
  local options = { name = 'graphwright', cmd = arguments.command, root_dir = arguments.folder }
  local id
  if vim.lsp.start then
    id = vim.lsp.start(options)
  else
    id = vim.lsp.start_client(options)
    vim.lsp.buf_attach_client(buffer, id)
  end
  local function client() return vim.lsp.get_client_by_id(id) end
  wait('hello', function()
    return client() and client().server_capabilities and client().server_capabilities.hoverProvider
  end)

  wait('diagnostic', function() return #vim.diagnostic.get(buffer) == 1 end)
  local found = vim.diagnostic.get(buffer)[1]
  assert(found.source == 'graphwright', vim.inspect(found))
  say(vim.fn.json_encode({ diagnostic = { line = found.lnum, column = found.col, message = found.message } }))

  vim.api.nvim_win_set_cursor(0, { arguments.hover.line + 1, arguments.hover.column })
  vim.lsp.buf.hover()
  local float
  wait('hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        float = window
        return true
      end
    end
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false)
  say(vim.fn.json_encode({ hover = table.concat(lines, '\n') }))
  vim.api.nvim_win_close(float, true)

  if vim.lsp.inlay_hint and client().server_capabilities.inlayHintProvider then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    wait('inlay hints', function() return #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 0 end)
    say(vim.fn.json_encode({ hints = #vim.lsp.inlay_hint.get({ bufnr = buffer }) }))
  end

  -- `vim.ui.select` is the menu that the user would see.
  vim.ui.select = function(items, _, choose)
    say(vim.fn.json_encode({ actions = #items }))
    choose(items[1], 1)
  end
  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
  local before = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  vim.lsp.buf.code_action()
  wait('edit', function()
    return not vim.deep_equal(before, vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
  end)
  wait('clean', function() return #vim.diagnostic.get(buffer) == 0 end)
  say(vim.fn.json_encode({ text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n' }))

  if vim.fn.has('nvim-0.11') == 1 then client():stop() else vim.lsp.stop_client(id) end
  wait('goodbye', function() return client() == nil end, 10000)
end, debug.traceback)

if ok then
  vim.cmd('qall!')
else
  say(vim.fn.json_encode({ failure = problem }))
  vim.cmd('cquit 1')
end
