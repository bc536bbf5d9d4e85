"""What notebooks call, loaded by `analysis` when it is used: thin functions over the modules that the commands use."""

from analysis.api.look import teach_notebook

teach_notebook()
